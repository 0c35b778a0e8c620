// Prints a Parquet file as JSON, one object a line, by DuckDB: node read.mjs FILE
import { DuckDBInstance } from '@duckdb/node-api'

const connection = await (await DuckDBInstance.create(':memory:')).connect()
const file = process.argv[2].replaceAll("'", "''")
const rows = await connection.runAndReadAll(`select to_json(t) from read_parquet('${file}') t`)
for (const [row] of rows.getRows()) console.log(row)
