// Submits a job to usher over HTTP and waits for its end. Needs Node 18 and no package.
//
//   USHER_URL=http://127.0.0.1:8460 USHER_TOKEN=… node publish.mjs segment.add job.json
//
// The job needs an id, so that it can be sent again: the same job has no effect twice.
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const { USHER_URL, USHER_TOKEN } = process.env
const attempts = 8
const temporary = [408, 429, 500, 502, 503, 504]

// call returns the JSON of a response. It repeats a request that usher cannot take now.
async function call(method, path, body) {
  for (let attempt = 0; attempt < attempts; attempt++) {
    let wait = Math.min(2 ** attempt, 60)
    let response
    try {
      response = await fetch(USHER_URL + path, {
        method,
        body,
        headers: { Authorization: `Bearer ${USHER_TOKEN}`, 'Content-Type': 'application/json' },
        signal: AbortSignal.timeout(60_000),
      })
      if (response.ok) return await response.json()
    } catch (error) { // no connection, or it broke off
      console.error(`no answer, trying again: ${error.message}`)
    }
    if (response && !temporary.includes(response.status)) throw new Error(await explain(response))
    wait = Number(response?.headers.get('Retry-After') ?? wait)
    await sleep((wait + Math.random()) * 1000) // so that publishers do not all come back at once
  }
  throw new Error(`${method} ${path}: no answer after ${attempts} attempts`)
}

// explain returns the problem details (RFC 9457) of a response.
async function explain(response) {
  const problem = await response.json().catch(() => ({ detail: response.statusText }))
  const issues = (problem.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`)
  return [`${response.status} ${problem.detail}`, ...issues].join('\n')
}

async function main([kind, file]) {
  const { id } = await call('POST', `/v1/jobs/${kind}`, await readFile(file))
  let record
  do {
    if (record) await sleep(1000)
    record = await call('GET', `/v1/jobs/${id}`)
  } while (!['done', 'failed', 'cancelled'].includes(record.state))
  if (record.state !== 'done') throw new Error(`${id} ${record.state}: ${JSON.stringify(record.error)}`)
  console.log(`${id} done: ${record.tally.accepted} of ${record.tally.read} rows accepted`)
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
