// The floor is Node alone, with the action's requests but no library, check or report.
const {
  closeSync,
  openSync,
  read,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} = require('node:fs')
const { Agent, request } = require('node:http')
const { basename, join } = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')

/** A workload, with `baseUrl` and `channel`. */
const {
  atOnce = 1,
  baseUrl,
  channel,
  method,
  visibleAfter,
} = JSON.parse(readFileSync(process.env.BENCH_FLOOR, 'utf8'))

const token = process.env.INPUT_TOKEN
const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
const chunkBytes = 1024 * 1024
const form = 'application/x-www-form-urlencoded'

function send(url, headers, write) {
  return new Promise((resolve, reject) => {
    const sending = request(url, { agent, method: 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve(text))
    })
    sending.on('error', reject)
    write(sending).catch(reject)
  })
}

async function call(name, fields) {
  const body = new URLSearchParams(fields).toString()
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': form,
    'content-length': Buffer.byteLength(body),
  }
  return JSON.parse(
    await send(`${baseUrl}/api/${name}`, headers, async (sending) => sending.end(body)),
  )
}

/** Two buffers in turn, one read while the other is sent. */
async function writeFile(sending, path, size) {
  const file = openSync(path)
  if (size <= chunkBytes) {
    const buffer = Buffer.allocUnsafe(size)
    readSync(file, buffer)
    sending.write(buffer)
  } else {
    const buffers = [Buffer.allocUnsafeSlow(chunkBytes), Buffer.allocUnsafeSlow(chunkBytes)]
    const readInto = (buffer) =>
      new Promise((resolve, reject) => {
        read(file, buffer, 0, chunkBytes, null, (error, count) =>
          error ? reject(error) : resolve(count),
        )
      })
    let written = Promise.resolve()
    for (let turn = 0, left = size; left > 0; turn += 1) {
      const buffer = buffers[turn % 2]
      const count = await readInto(buffer)
      await written
      left -= count
      written = new Promise((resolve) => sending.write(buffer.subarray(0, count), resolve))
    }
    await written
  }
  closeSync(file)
}

async function stage(path) {
  const { size } = statSync(path)
  const upload = await call('files.getUploadURLExternal', {
    filename: basename(path),
    length: size,
  })
  const headers = { 'content-type': 'application/octet-stream', 'content-length': size }
  await send(upload.upload_url, headers, async (sending) => {
    await writeFile(sending, path, size)
    sending.end()
  })
  return { id: upload.file_id, title: basename(path) }
}

async function post(path) {
  const { size } = statSync(path)
  const boundary = '----floor-boundary-of-the-form----'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="channels"\r\n\r\n${channel}\r\n--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${basename(path)}"\r\ncontent-type: application/octet-stream\r\n\r\n`
  const tail = `\r\n--${boundary}--\r\n`
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': head.length + size + tail.length,
  }
  await send(`${baseUrl}/api/files.upload`, headers, async (sending) => {
    sending.write(head)
    await writeFile(sending, path, size)
    sending.end(tail)
  })
}

function find(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.name.endsWith('.csv'))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? find(path) : path
    })
}

/** As many at once as there are connections. */
async function each(list, work) {
  const results = []
  const entries = list.entries()
  const worker = async () => {
    for (const [index, one] of entries) results[index] = await work(one)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, worker))
  return results
}

async function main() {
  const files = find(process.cwd())
  if (method === 'files.upload') {
    await each(files, post)
  } else {
    const staged = await each(files, stage)
    let ts
    for (let at = 0; at < staged.length; at += 10) {
      const batch = JSON.stringify(staged.slice(at, at + 10))
      await call('files.completeUploadExternal', { files: batch, channel_id: channel })
      // One lookup, because the time is known.
      if (visibleAfter) {
        await sleep(visibleAfter)
        const { file } = await call('files.info', { file: staged[at].id })
        ts = file.shares.public[channel][0].ts
      }
    }
    if (ts) await call('chat.getPermalink', { channel, message_ts: ts })
  }
  agent.destroy()
}

main()
