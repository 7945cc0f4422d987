/**
 * `npm run test:servers [-- names]`: plays the bundle against real servers, and ends with 0 only if
 * the action told the truth to each, and each did what its row says. It installs them into a
 * folder in the system's temp folder: packages from their registries, toolchains that are there.
 */
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Program, play } from './play.ts'

const temp = mkdtempSync(join(tmpdir(), 'servers-'))
// Apache gives root's rights up.
chmodSync(temp, 0o755)
process.env['SERVERS_TEMP'] = temp
const page = readFileSync(join(import.meta.dirname, '../docs/servers.md'), 'utf8')

/** The code of the page in a language. */
const receiver = (language: string) =>
  new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1] ?? ''

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** @param command or the path of a file, which may have a wildcard */
const isThere = (command: string): boolean => {
  if (command.startsWith('/')) return globSync(command).length > 0
  try {
    run('which', [command], temp)
    return true
  } catch {
    return false
  }
}

interface Toolchain {
  /** Commands and files that must be there. */
  readonly needs: readonly string[]
  /** With exact versions. */
  readonly packages: Readonly<Record<string, string>>
  install(folder: string, packages: Readonly<Record<string, string>>): void
  /** `a 1.0 → 1.1`. */
  newer?(folder: string, packages: Readonly<Record<string, string>>): readonly string[]
  command(folder: string, name: string): Program['command']
  readonly throws?: boolean
  /** By name: what each changes, as it was seen on 28 November 2026. */
  readonly servers: Readonly<Record<string, readonly string[]>>
}

const copy = (name: string, folder: string, to = name) =>
  copyFileSync(join(import.meta.dirname, name), join(folder, to))

function copyAll(names: readonly string[], folder: string): void {
  for (const name of names) copy(name, folder)
}

const perlModule = (name: string) => `/usr/share/perl5/${name}*`
const shell = (script: string) => ['sh', '-c', script] as const

/** What a script prints is its response, so it writes what it stored into a file. */
const behindApache = (options: string, runtime = 'sleep infinity') =>
  shell(`export PRINTED=$(pwd)/printed USER=$(id -un) PWD
touch printed
chmod 666 printed
tail -f printed &
apache2 -X -f "$(pwd)/apache.conf" ${options} &
exec ${runtime}`)

const fromPhp = ['a"b.csv → a%22b.csv', 'dir\\unit.csv → unit.csv']
/** PHP's warning comes first, so the status is 200. */
const shown = ['too large: unknown Warning']

const toolchains: Readonly<Record<string, Toolchain>> = {
  node: {
    needs: ['npm'],
    packages: {
      '@fastify/multipart': '10.1.9',
      '@hono/node-server': '2.1.9',
      bun: '1.4.5',
      busboy: '1.6.0',
      express: '5.3.0',
      'express-fileupload': '1.5.2',
      fastify: '5.12.8',
      formidable: '3.5.4',
      hono: '4.13.19',
      koa: '3.3.0',
      'koa-body': '8.0.1',
      multer: '2.5.0',
      multiparty: '4.3.1',
    },
    install(folder, dependencies) {
      writeFileSync(
        join(folder, 'package.json'),
        JSON.stringify({ private: true, type: 'module', dependencies }),
      )
      run('npm', ['install', '--no-audit', '--no-fund'], folder)
      copy('node.js', folder)
      writeFileSync(join(folder, 'receiver.js'), receiver('js'))
    },
    newer(folder, packages) {
      return Object.entries(packages).flatMap(([name, version]) => {
        const newest = run('npm', ['view', name, 'version'], folder).trim()
        return newest === version ? [] : [`${name} ${version} → ${newest}`]
      })
    },
    command(folder, name) {
      if (name === 'page') return [process.execPath, 'receiver.js']
      return [
        name === 'bun' ? join(folder, 'node_modules/.bin/bun') : process.execPath,
        'node.js',
        name,
      ]
    },
    servers: {
      page: [],
      multer: ['dir\\unit.csv → unit.csv', 'too large: unknown 500'],
      busboy: ['a"b.csv → a%22b.csv', 'dir\\unit.csv → unit.csv'],
      formidable: ['dir\\unit.csv → unit.csv', 'empty.csv: unknown 400'],
      multiparty: ['dir\\unit.csv → unit.csv'],
      'express-fileupload': ['a"b.csv → a%22b.csv', 'dir\\unit.csv → unit.csv'],
      fastify: ['a"b.csv → a%22b.csv', 'dir\\unit.csv → unit.csv'],
      hono: [],
      'koa-body': ['dir\\unit.csv → unit.csv', 'empty.csv: unknown 500', 'too large: unknown 500'],
      bun: ['a"b.csv → a%22b.csv'],
    },
  },
  python: {
    needs: ['python3.11'],
    packages: {
      aiohttp: '3.14.5',
      django: '5.2.19',
      fastapi: '0.165.0',
      flask: '3.1.3',
      litestar: '2.25.0',
      'python-multipart': '0.0.34',
      tornado: '6.6.1',
      uvicorn: '0.54.0',
      werkzeug: '3.1.9',
    },
    install(folder, packages) {
      run('python3.11', ['-m', 'venv', 'venv'], folder)
      const pinned = Object.entries(packages).map(([name, version]) => `${name}==${version}`)
      run('venv/bin/pip', ['install', '--quiet', ...pinned], folder)
      copy('python.py', folder, 'play.py')
      writeFileSync(join(folder, 'receiver.py'), receiver('python'))
    },
    newer(folder, packages) {
      const outdated: readonly { name: string; version: string; latest_version: string }[] =
        JSON.parse(run('venv/bin/pip', ['list', '--outdated', '--format', 'json'], folder))
      return outdated
        .filter(({ name }) => name.toLowerCase() in packages)
        .map(({ name, version, latest_version }) => `${name} ${version} → ${latest_version}`)
    },
    command: (_, name) =>
      name === 'page' ? ['venv/bin/python', 'receiver.py'] : ['venv/bin/python', 'play.py', name],
    servers: {
      page: ['a"b.csv → a%22b.csv'],
      http_server: ['a"b.csv → a%22b.csv', 'dir\\unit.csv → dirunit.csv'],
      litestar: [],
      django: ['a"b.csv → a%22b.csv', 'dir\\unit.csv → unit.csv'],
      flask: ['dir\\unit.csv → dirunit.csv'],
      aiohttp: ['a"b.csv → a%22b.csv', 'dir\\unit.csv → dirunit.csv'],
      tornado: ['a"b.csv → a%22b.csv'],
    },
  },
  go: {
    needs: ['go'],
    packages: { 'github.com/gin-gonic/gin': 'v1.12.0', 'github.com/gofiber/fiber/v3': 'v3.1.0' },
    install(folder, packages) {
      const pinned = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
      run('go', ['mod', 'init', 'servers'], folder)
      run('go', ['get', ...pinned], folder)
      copy('main.go', folder)
      writeFileSync(join(folder, 'receiver.go'), receiver('go'))
      run('go', ['build', '-mod=mod', '-o', 'page', 'receiver.go'], folder)
      run('go', ['build', '-mod=mod', '-o', 'play', 'main.go'], folder)
    },
    newer(folder, packages) {
      const format = '{{if .Update}}{{.Path}} {{.Version}} → {{.Update.Version}}{{end}}'
      const names = Object.keys(packages)
      const lines = run('go', ['list', '-m', '-u', '-f', format, ...names], folder)
      return lines.split('\n').filter((line) => line !== '')
    },
    command: (_, name) => (name === 'page' ? ['./page'] : ['./play', name]),
    servers: {
      page: ['a"b.csv → a%22b.csv'],
      gin: ['a"b.csv → a%22b.csv'],
      fiber: ['a"b.csv → a%22b.csv'],
    },
  },
  rust: {
    needs: ['cargo'],
    packages: {
      'actix-multipart': '0.8.5',
      'actix-web': '4.18.1',
      axum: '0.8.9',
      'futures-util': '0.3.34',
      serde_json: '1.0.154',
      tokio: '1.54.1',
    },
    install(folder, packages) {
      const features: Readonly<Record<string, string>> = { axum: 'multipart', tokio: 'net' }
      const lines = Object.entries(packages).map(
        ([name, version]) =>
          `${name} = { version = "=${version}", features = [${name in features ? `"${features[name]}"` : ''}] }`,
      )
      writeFileSync(
        join(folder, 'Cargo.toml'),
        `[package]\nname = "play"\nedition = "2024"\n\n[dependencies]\n${lines.join('\n')}\n`,
      )
      mkdirSync(join(folder, 'src'))
      copy('main.rs', folder, 'src/main.rs')
      run('cargo', ['build', '--quiet'], folder)
    },
    newer(folder, packages) {
      return Object.entries(packages).flatMap(([name, version]) => {
        const about = run('cargo', ['info', '--quiet', name], folder)
        const newest = /^version: (?:.*latest )?([\w.-]+)/m.exec(about)?.[1]
        return newest === undefined || newest === version ? [] : [`${name} ${version} → ${newest}`]
      })
    },
    command: (_, name) => ['target/debug/play', name],
    servers: {
      axum: ['a"b.csv → a%22b.csv'],
      actix: ['a"b.csv → a%22b.csv', 'dir\\unit.csv → dirunit.csv'],
    },
  },
  java: {
    needs: ['mvn'],
    packages: {
      'org.springframework.boot:spring-boot-starter-web': '4.0.7',
      'io.javalin:javalin': '7.2.3',
    },
    install(folder, packages) {
      const dependencies = Object.entries(packages).map(([name, version]) => {
        const [group, artifact] = name.split(':')
        return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`
      })
      writeFileSync(
        join(folder, 'pom.xml'),
        `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>servers</groupId><artifactId>servers</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>${dependencies.join('\n')}</dependencies>
</project>
`,
      )
      mkdirSync(join(folder, 'src/main/java'), { recursive: true })
      copy('Main.java', folder, 'src/main/java/Main.java')
      const classPath = `org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath`
      run('mvn', ['-B', '-q', 'compile', classPath, '-Dmdep.outputFile=classpath'], folder)
    },
    newer(folder) {
      const updates = 'org.codehaus.mojo:versions-maven-plugin:2.18.0:display-dependency-updates'
      const lines = run(
        'mvn',
        [
          '-B',
          updates,
          '-DprocessDependencyManagement=false',
          '-Dmaven.version.ignore=.*-(M|RC|alpha|beta).*',
        ],
        folder,
      )
      return [...lines.matchAll(/^\[INFO\] +(\S+:\S+) \.* *(\S+ -> \S+)$/gm)].map(
        ([, name, versions]) => `${name} ${versions?.replace('->', '→')}`,
      )
    },
    command(folder, name) {
      const libraries = readFileSync(join(folder, 'classpath'), 'utf8')
      return ['java', '-cp', `target/classes:${libraries}`, 'Main', name]
    },
    servers: {
      spring: ['a"b.csv → a%22b.csv', 'wrong path: unknown 404'],
      javalin: ['a"b.csv → a%22b.csv', 'too large: unknown 500'],
    },
  },
  php: {
    needs: ['php', '/usr/sbin/php-fpm*', 'apache2'],
    packages: {},
    install: (folder) => copyAll(['upload.php', 'apache.conf', 'fpm.conf'], folder),
    command(_, name) {
      const own =
        name === 'php -S' ? '-d post_max_size=100M' : '-n -d extension=posix -d post_max_size=7M'
      const options = `${own} -d upload_max_filesize=5000000`
      return name.startsWith('FPM')
        ? behindApache('-D PHP', `$(ls /usr/sbin/php-fpm* | tail -1) ${options} -R -y fpm.conf`)
        : shell(`exec php ${options} -S 127.0.0.1:$PORT upload.php`)
    },
    throws: true,
    servers: {
      'php -S': fromPhp,
      'php -S without php.ini': [...fromPhp, ...shown],
      'FPM without php.ini': [...fromPhp, ...shown],
    },
  },
  perl: {
    needs: ['apache2', ...['CGI', 'Dancer2', 'Mojo', 'Starman'].map(perlModule)],
    packages: {},
    install: (folder) => copyAll(['perl.pl', 'apache.conf'], folder),
    command: (_, name) => (name === 'cgi' ? behindApache('') : ['perl', 'perl.pl', name]),
    throws: true,
    servers: {
      cgi: ['a"b.csv → a%22b.csv'],
      mojolicious: ['a"b.csv → a%22b.csv'],
      plack: ['a"b.csv → a%22b.csv'],
      dancer: ['a"b.csv → a%22b.csv'],
    },
  },
  ruby: {
    needs: ['ruby', 'puma', 'thin'],
    packages: {},
    install: (folder) => copy('ruby.rb', folder),
    command: (_, name) => ['ruby', 'ruby.rb', name],
    throws: true,
    servers: {
      puma: ['dir\\unit.csv → unit.csv'],
      thin: ['dir\\unit.csv → unit.csv'],
      webrick: ['a"b.csv → a%22b.csv'],
    },
  },
  c: {
    needs: ['cc', '/usr/include/microhttpd.h'],
    packages: {},
    install(folder) {
      copy('main.c', folder)
      run('cc', ['main.c', '-o', 'play', '-lmicrohttpd'], folder)
    },
    command: () => ['./play'],
    servers: { libmicrohttpd: ['a"b.csv → a%22b.csv'] },
  },
  'c++': {
    needs: ['g++', '/usr/include/httplib.h'],
    packages: {},
    install(folder) {
      copy('main.cpp', folder)
      run('g++', ['-std=c++17', 'main.cpp', '-o', 'play', '-pthread', '-lcpp-httplib'], folder)
    },
    command: () => ['./play'],
    throws: true,
    servers: { 'cpp-httplib': ['a"b.csv → a%22b.csv'] },
  },
  lisp: {
    needs: ['sbcl', '/usr/share/common-lisp/source/hunchentoot'],
    packages: {},
    install: (folder) => copy('lisp.lisp', folder),
    command: () => ['sbcl', '--script', 'lisp.lisp'],
    throws: true,
    servers: { hunchentoot: ['a"b.csv → a%22b.csv'] },
  },
}

/** Named only: no server of them is played. */
const notPlayed = ['dotnet', 'caddy']

/** In front of the first two servers of Node. */
const proxies: Readonly<Record<string, NonNullable<Program['proxy']>>> = {
  async nginx(port, serverPort) {
    // If root runs this, the workers are root too: only it can write to the temp folder.
    const file = join(temp, 'nginx.conf')
    writeFileSync(
      file,
      `daemon off; user root; pid ${temp}/nginx.pid; error_log stderr;
events {}
http {
  access_log off; client_body_temp_path ${temp}/body; proxy_temp_path ${temp}/proxy;
  fastcgi_temp_path ${temp}/f; uwsgi_temp_path ${temp}/u; scgi_temp_path ${temp}/s;
  client_max_body_size 5m;
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${serverPort}; } }
}
`,
    )
    return spawn('nginx', ['-p', temp, '-c', file], { stdio: 'ignore', detached: true })
  },
  async haproxy(port, serverPort) {
    const file = join(temp, 'haproxy.cfg')
    writeFileSync(
      file,
      `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
listen all
  bind 127.0.0.1:${port}
  server one 127.0.0.1:${serverPort}
`,
    )
    return spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore', detached: true })
  },
}

/**
 * Behind nginx, a response to a part of the request becomes 502 now and then. Fastify's 404 may come
 * before the whole request or after it.
 */
const steady = (rows: readonly string[]) =>
  rows.filter((row) => !/^wrong \w+: unknown (404|502)$/.test(row)).join('\n')

const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)
interface Row extends Program {
  /** Its row holds: it has exact versions. */
  readonly isPinned: boolean
}

let failures = 0
let played = 0
const languages = new Set<string>()

async function report(language: string, name: string, expected: readonly string[], program: Row) {
  const result = await play(program).catch((error: Error) => ({
    lies: [error.message],
    changes: [],
  }))
  const { changes, lies } = result
  const isAsExpected = steady(changes) === steady(expected)
  if (lies.length > 0 || (!isAsExpected && program.isPinned)) failures += 1
  played += 1
  languages.add(language)
  const verdict = lies.length > 0 ? 'NOT TRUE' : isAsExpected ? 'true' : 'true, but CHANGED'
  const changed = changes.length > 0 ? changes.join('; ') : 'All as sent'
  console.log(`${language} ${name}: ${verdict}. ${changed}`)
  for (const lie of lies) console.log(`   ${lie.replaceAll('\n', '\n   ')}`)
}

async function playAll(language: string, toolchain: Toolchain): Promise<void> {
  const { command, install, needs, newer, packages, servers, throws } = toolchain
  const names = Object.keys(servers).filter((name) => isWanted(language) || isWanted(name))
  if (names.length === 0) return
  const absent = needs.filter((one) => !isThere(one))
  if (absent.length > 0)
    return console.log(
      `${language}: ${absent.join(', ')} absent, so ${names.join(', ')} not played`,
    )
  const folder = join(temp, language)
  mkdirSync(folder)
  install(folder, packages)
  for (const name of names) {
    const isReceiver = name === 'page'
    // Without packages, it is the version of the system.
    const isPinned = Object.keys(packages).length > 0
    const program: Row = { command: command(folder, name), folder, isReceiver, isPinned, throws }
    await report(language, name, servers[name] ?? [], program)
    if (language !== 'node' || !['page', 'multer'].includes(name)) continue
    for (const [proxyName, proxy] of Object.entries(proxies)) {
      if (isThere(proxyName))
        await report(
          language,
          `${name} behind ${proxyName}`,
          // nginx has a limit of its own, and responds as it should.
          (servers[name] ?? []).filter((row) => proxyName !== 'nginx' || !row.startsWith('too')),
          { ...program, proxy },
        )
      else console.log(`${proxyName} is absent`)
    }
  }
  for (const line of newer?.(folder, packages) ?? []) console.log(`There is a newer one: ${line}`)
}

try {
  for (const [language, toolchain] of Object.entries(toolchains)) await playAll(language, toolchain)
  if (wanted.length === 0)
    for (const name of notPlayed)
      console.log(`${name} is ${isThere(name) ? 'there, but not played' : 'absent'}`)
} finally {
  rmSync(temp, { recursive: true, force: true })
}
const all = `${played} servers in ${languages.size} languages`
console.log(failures === 0 ? `The action told the truth to ${all}` : `${failures} of ${all} differ`)
process.exitCode = failures === 0 ? 0 : 1
