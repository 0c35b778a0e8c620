// Writes exports by npm packages: node write.mjs TOOL INPUT [OUTPUT [OPTIONS]].
// The packages are those of the working directory.
import fs from 'node:fs'
import path from 'node:path'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const home = process.cwd()
const require = createRequire(path.join(home, 'package.json'))
const load = async name => {
  const module = await import(pathToFileURL(require.resolve(name)))
  return module.default && Object.keys(module).length <= 2 ? module.default : module
}
const read = file => JSON.parse(fs.readFileSync(file, 'utf8'))

const tools = {
  // INPUT is a list of [file, statement]; tables lie beside it as JSON.
  async duckdb(input) {
    const { DuckDBInstance } = await load('@duckdb/node-api')
    const db = await (await DuckDBInstance.create(':memory:')).connect()
    const folder = path.dirname(input)
    await db.run(`CREATE TABLE contacts AS SELECT * FROM read_json('${folder}/contacts.json', columns={customer: 'INTEGER', note: 'VARCHAR', idfa: 'VARCHAR', country: 'VARCHAR'})`)
    await db.run(`CREATE TABLE devices AS SELECT * FROM read_json('${folder}/devices.json', columns={customer: 'INTEGER', idfas: 'VARCHAR[]', country: 'VARCHAR'})`)
    await db.run(`CREATE TABLE late AS SELECT * FROM read_json('${folder}/late.json', columns={device_id: 'VARCHAR', idfa: 'VARCHAR'})`)
    for (const [, statement] of read(input)) await db.run(statement)
    const version = await db.runAndReadAll('SELECT version()')
    console.log(version.getRows()[0][0])
  },

  async papaparse(input, output, options) {
    fs.writeFileSync(output, require('papaparse').unparse(read(input), read(options)))
  },
  async csvstringify(input, output, options) {
    const { stringify } = require('csv-stringify/sync')
    fs.writeFileSync(output, stringify(read(input), read(options)))
  },
  async fastcsv(input, output, options) {
    fs.writeFileSync(output, await require('fast-csv').writeToBuffer(read(input), read(options)))
  },
  async json2csv(input, output, options) {
    fs.writeFileSync(output, require('json2csv').parse(read(input), read(options)))
  },
  // options: {type, bookSST, sheets: [names], only: write empty sheets before the named one}
  async sheetjs(input, output, options) {
    const XLSX = require('xlsx')
    const { first, formulas, ...rest } = read(options)
    const book = XLSX.utils.book_new()
    if (first) XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([['Contacts of March'], ['for the agency']]), first)
    const rows = read(input)
    const sheet = XLSX.utils.json_to_sheet(rows)
    if (formulas) {
      // The id is a formula over two other columns; the value is cached as Excel caches it.
      rows.forEach((row, i) => { sheet[`C${i + 2}`] = { t: 's', v: row.idfa ?? '', f: `UPPER(F${i + 2})` } })
    }
    XLSX.utils.book_append_sheet(book, sheet, 'Contacts')
    fs.writeFileSync(output, XLSX.write(book, { type: 'buffer', ...rest }))
  },
  async exceljs(input, output, options) {
    const ExcelJS = require('exceljs')
    const { stream, rich, ...rest } = read(options)
    const book = stream ? new ExcelJS.stream.xlsx.WorkbookWriter({ filename: output, ...rest }) : new ExcelJS.Workbook()
    const sheet = book.addWorksheet('Contacts', { views: [{ state: 'frozen', ySplit: 1 }] })
    const rows = read(input)
    sheet.columns = Object.keys(rows[0]).map(key => ({ header: key, key, width: 20 }))
    for (const row of rows) {
      const value = rich && row.idfa ? { ...row, idfa: { richText: [{ text: row.idfa.slice(0, 9), font: { bold: true } }, { text: row.idfa.slice(9) }] } } : row
      const added = sheet.addRow(value)
      if (stream) added.commit()
    }
    if (stream) await book.commit()
    else await book.xlsx.writeFile(output)
  },
  async writeexcelfile(input, output) {
    const { default: writeExcelFile } = await import(pathToFileURL(path.join(home, 'node_modules/write-excel-file/node/index.js')))
    const rows = read(input)
    const names = Object.keys(rows[0])
    const data = [names.map(value => ({ value, fontWeight: 'bold' })), ...rows.map(row => names.map(n => (row[n] === null ? null : { value: row[n] })))]
    await writeExcelFile(data).toFile(output)
  },
  async parquetjs(input, output, options) {
    const { ParquetSchema, ParquetWriter } = require('@dsnp/parquetjs')
    const { compression = 'UNCOMPRESSED', list, rowGroupSize } = read(options)
    const text = extra => ({ type: 'UTF8', optional: true, compression, ...extra })
    const schema = list
      ? new ParquetSchema({ customer: { type: 'INT32' }, idfas: { type: 'UTF8', repeated: true, compression }, country: text() })
      : new ParquetSchema({ customer: { type: 'INT32', compression }, note: text(), idfa: text(), country: text() })
    const writer = await ParquetWriter.openFile(schema, output)
    if (rowGroupSize) writer.setRowGroupSize(rowGroupSize)
    for (const row of read(input)) await writer.appendRow(row)
    await writer.close()
  },
  async hyparquet(input, output, options) {
    const { parquetWriteBuffer } = await import(pathToFileURL(path.join(home, 'node_modules/hyparquet-writer/src/index.js')))
    const { type = 'STRING', ...rest } = read(options)
    const rows = read(input)
    const columnData = [
      { name: 'customer', data: rows.map(r => r.customer), type: 'INT32' },
      { name: 'idfa', data: rows.map(r => r.idfa ?? undefined), type, nullable: true },
      { name: 'country', data: rows.map(r => r.country), type: 'STRING' },
    ]
    fs.writeFileSync(output, Buffer.from(parquetWriteBuffer({ columnData, ...rest })))
  },
  async polars(input, output, options) {
    const pl = require('nodejs-polars').default
    const { call, ...rest } = read(options)
    const rows = read(input)
    const frame = pl.DataFrame(Object.fromEntries(Object.keys(rows[0]).map(n => [n, rows.map(r => r[n])])))
    frame[call](output, rest)
  },
  async avsc(input, output, options) {
    const avro = require('avsc')
    const { codec, schema } = read(options)
    const encoder = avro.createFileEncoder(output, avro.Type.forSchema(schema, { wrapUnions: false }), { codec })
    for (const row of read(input)) encoder.write(row)
    await new Promise(done => encoder.end(done))
    await new Promise(done => setTimeout(done, 100))
  },

  async d3dsv(input, output, options) {
    const { dsvFormat } = await import(pathToFileURL(path.join(home, 'node_modules/d3-dsv/dist/d3-dsv.mjs')))
    fs.writeFileSync(output, dsvFormat(read(options).delimiter).format(read(input)))
  },
}

const [tool, ...rest] = process.argv.slice(2)
await tools[tool](...rest)
