// People's mistakes, in trees of real tools: each line is told the right file.
import { expect, test } from '@jest/globals'
import { patternLines } from '../../../src/files/patterns.ts'
import { searchContext } from '../../../src/files/search-context.ts'
import { closestFiles } from '../../../src/files/similar-files.ts'
import { quoted } from '../../../src/text/text.ts'
import { finds } from '../../support/finds.ts'
import { groups } from '../../support/grid.ts'
import { findOptions } from '../../support/tree.ts'

const dotnet = `
src/Shop.Api/bin/Release/net10.0/Shop.Api.dll
src/Shop.Api/Program.cs
src/Shop.Api/obj/Release/net10.0/Shop.Api.dll
src/Shop.Api/appsettings.json
tests/Shop.Api.Tests/TestResults/test-results.trx
tests/Shop.Core.Tests/TestResults/test-results.trx
tests/Shop.Core.Tests/TestResults/54281f83-46b4-49fa-88ee-886be814ca6d/coverage.cobertura.xml
tests/Shop.Api.Tests/Fixtures/orders.xml
tests/Shop.Api.Tests/Fixtures/orders.json
CoverageReport/index.html
CoverageReport/Summary.txt
CoverageReport/Cobertura.xml
artifacts/packages/Shop.Core.1.4.0.nupkg
artifacts/publish/Shop.Api.zip
`
const js = `
package.json
apps/web/package.json
apps/web/public/index.html
apps/web/playwright-report/index.html
apps/web/playwright-report/trace/index.html
apps/web/test-results/login/test-failed-1.png
apps/web/e2e/login-chromium.png
apps/web/coverage/lcov-report/index.html
apps/web/coverage/lcov.info
apps/api/coverage/lcov.info
apps/api/coverage/clover.xml
apps/api/logs/server.log
packages/ui/coverage/coverage-summary.json
packages/utils/coverage/coverage-summary.json
reports/lighthouse/report-20261128.html
blob-report/report-1.zip
`

/** Below each line, the files in its advice. */
const similar = (trees: string) =>
  finds(trees, ({ unmatched }) => {
    const hints = unmatched.flatMap(({ explanation = [] }) => explanation.map(quoted))
    return hints.filter((said) => said.startsWith('Similar')).join()
  })

const similarTo = (lines: string, files: string) =>
  similar(files.trim().replaceAll('\n', ' ') + lines)

test('in a tree of .NET, only files that are meant are named', async () => {
  const lines = `
TestResults/*.trx
tests/Shop.Core.Test/TestResults/*.trx
**/TestResults/*.xml
**/coverage.corbetura.xml
coverage-report/Summary.txt
src/Shop.Api/bin/Debug/net10.0/Shop.Api.dll
src/Shop.Api/bin/Release/net9.0/Shop.Api.dll
artifacts/*.nupkg
artifacts/Shop.Api.1.4.0.zip
**/mutation-report.html
tests/Shop.Api.Tests/StrykerOutput/**/*.json
BenchmarkDotNet.Artifacts/results/*.md
src/Shop.Api/logs/*.json
`
  expect(await similarTo(lines, dotnet)).toMatchInlineSnapshot(`
"src/Shop.Api/bin/Release/net10.0/Shop.Api.dll src/Shop.Api/Program.cs src/Shop.Api/obj/Release/net10.0/Shop.Api.dll src/Shop.Api/appsettings.json tests/Shop.Api.Tests/TestResults/test-results.trx tests/Shop.Core.Tests/TestResults/test-results.trx tests/Shop.Core.Tests/TestResults/54281f83-46b4-49fa-88ee-886be814ca6d/coverage.cobertura.xml tests/Shop.Api.Tests/Fixtures/orders.xml tests/Shop.Api.Tests/Fixtures/orders.json CoverageReport/index.html CoverageReport/Summary.txt CoverageReport/Cobertura.xml artifacts/packages/Shop.Core.1.4.0.nupkg artifacts/publish/Shop.Api.zip
TestResults/*.trx
    Similar: \`tests/Shop.Api.Tests/TestResults/test-results.trx\`, \`tests/Shop.Core.Tests/TestResults/test-results.trx\`.
tests/Shop.Core.Test/TestResults/*.trx
    Similar: \`tests/Shop.Core.Tests/TestResults/test-results.trx\`.
**/TestResults/*.xml
    Similar: \`tests/Shop.Core.Tests/TestResults/54281f83-46b4-49fa-88ee-886be814ca6d/coverage.cobertura.xml\`.
**/coverage.corbetura.xml
    Similar: \`tests/Shop.Core.Tests/TestResults/54281f83-46b4-49fa-88ee-886be814ca6d/coverage.cobertura.xml\`.
coverage-report/Summary.txt
    Similar: \`CoverageReport/Summary.txt\`.
src/Shop.Api/bin/Debug/net10.0/Shop.Api.dll
    Similar: \`src/Shop.Api/bin/Release/net10.0/Shop.Api.dll\`.
src/Shop.Api/bin/Release/net9.0/Shop.Api.dll
    Similar: \`src/Shop.Api/bin/Release/net10.0/Shop.Api.dll\`.
artifacts/*.nupkg
    Similar: \`artifacts/packages/Shop.Core.1.4.0.nupkg\`.
artifacts/Shop.Api.1.4.0.zip
    Similar: \`artifacts/publish/Shop.Api.zip\`.
**/mutation-report.html
    nothing
tests/Shop.Api.Tests/StrykerOutput/**/*.json
    nothing
BenchmarkDotNet.Artifacts/results/*.md
    nothing
src/Shop.Api/logs/*.json
    nothing"
`)
})

test('in a tree of JavaScript, only files that are meant are named', async () => {
  const lines = `
playwright-report/index.html
apps/web/playwright-reports/index.html
apps/web/coverage/index.html
apps/web/test-result/**/*.png
packages/*/coverage/lcov.info
apps/ui/coverage/coverage-summary.json
packages/ui/coverage/coverage-sumary.json
reports/*.htm
blob-reports/*.zip
apps/web/cypress/screenshots/**/*.png
apps/api/coverage/junit.xml
packages/utils/dist/*.tgz
`
  expect(await similarTo(lines, js)).toMatchInlineSnapshot(`
"package.json apps/web/package.json apps/web/public/index.html apps/web/playwright-report/index.html apps/web/playwright-report/trace/index.html apps/web/test-results/login/test-failed-1.png apps/web/e2e/login-chromium.png apps/web/coverage/lcov-report/index.html apps/web/coverage/lcov.info apps/api/coverage/lcov.info apps/api/coverage/clover.xml apps/api/logs/server.log packages/ui/coverage/coverage-summary.json packages/utils/coverage/coverage-summary.json reports/lighthouse/report-20261128.html blob-report/report-1.zip
playwright-report/index.html
    Similar: \`apps/web/playwright-report/index.html\`.
apps/web/playwright-reports/index.html
    Similar: \`apps/web/playwright-report/index.html\`.
apps/web/coverage/index.html
    Similar: \`apps/web/coverage/lcov-report/index.html\`.
apps/web/test-result/**/*.png
    Similar: \`apps/web/test-results/login/test-failed-1.png\`.
packages/*/coverage/lcov.info
    Similar: \`apps/api/coverage/lcov.info\`, \`apps/web/coverage/lcov.info\`.
apps/ui/coverage/coverage-summary.json
    Similar: \`packages/ui/coverage/coverage-summary.json\`.
packages/ui/coverage/coverage-sumary.json
    Similar: \`packages/ui/coverage/coverage-summary.json\`.
reports/*.htm
    Similar: \`reports/lighthouse/report-20261128.html\`.
blob-reports/*.zip
    Similar: \`blob-report/report-1.zip\`.
apps/web/cypress/screenshots/**/*.png
    nothing
apps/api/coverage/junit.xml
    nothing
packages/utils/dist/*.tgz
    nothing"
`)
})

test('a misspelled line is offered the right files', async () => {
  const lines = `
reports/coverage.csv reports/unit/a.csv reports/unit/b.csv reports/part-1.csv reports/notes.txt reports/c.cs coverage/app.xml coverage/app.cs .env
reports/**/*.cvs
reports/c*.cvs
reports/{coverage,part-1}.cvs
report/*.csv
cov*/*.xlm
/no/r/r/reports/unit/*
/github/workspace/reports/part-1.csv
~/reports/unit/*
reports/coverage.csv:Title
reports/coverage.csv => a.csv
reports/part-2.csv
.reports/a.txt
reports/note.txt/*.csv
reports/xyz.csv
reports/*.json
reports/not.txt
/no-such-folder/*.csv
coverage/*.csv
coverage/*.yml
reports/*.t
reports/*.cab
env

README.md reports/unit.csv reports/api.xml reports/Test␣Result.csv packages/a/coverage/a.csv packages/a/Outer$Inner.class shot␣1.png reports/.out/e2e.json empty/
report*
./packages/*
packages/{}/a.csv
$GITHUB_WORKSPACE/README.md
shot%201.png
packages/a/Outer$Iner.class
out/Test Result.csv
reports/.out/e2e.jsno
shot_1.png
packages/*/covrage/*.csv
*.MD
reports/*.csv # note
- reports/*.csv
“reports/*.csv”,
D:\\a\\r\\r\\reports\\*.csv
reports/unit].csv
reports/unit csv
reports /unit.csv
repots/unti.csv
reports\\unit.csv
/unit.csv
cov: reports/unit.csv
path=@reports/unit.csv
"reports/unit.csv
\`reports/unit.csv\`
reports/unit.csv;
reports/unit.csv -> b.csv
reports/unit.csv as b.csv
reports/unit.csv#Unit
reports/unit.csv:
not reports/unit.csv
-reports/unit.csv
reports/unit.csv or out/api.xml
reports/!(unit).csv
reports/unit.csv.gz
shot 3.png

reports/unit.csv app/src/a.ts app/out/b.csv
reports/unit.csv | {"workingDirectory":"app"}
reports/*.csv | {"workingDirectory":"app"}
out/*.cvs | {"workingDirectory":"app"}
app/out/b.csv | {"workingDirectory":"app"}
../report/unit.csv | {"workingDirectory":"app"}
["unit.csv"] | {"workingDirectory":"app"}
[{"path": "unit.csv"}] | {"workingDirectory":"app"}
`
  expect(await similar(lines)).toMatchInlineSnapshot(`
"reports/coverage.csv reports/unit/a.csv reports/unit/b.csv reports/part-1.csv reports/notes.txt reports/c.cs coverage/app.xml coverage/app.cs .env
reports/**/*.cvs
    Similar: \`reports/coverage.csv\`, \`reports/part-1.csv\`, \`reports/unit/a.csv\` and 1 more.
reports/c*.cvs
    Similar: \`reports/coverage.csv\`.
reports/{coverage,part-1}.cvs
    Similar: \`reports/coverage.csv\`, \`reports/part-1.csv\`.
report/*.csv
    Similar: \`reports/coverage.csv\`, \`reports/part-1.csv\`.
cov*/*.xlm
    Similar: \`coverage/app.xml\`.
/no/r/r/reports/unit/*
    Similar: \`reports/unit/a.csv\`, \`reports/unit/b.csv\`.
/github/workspace/reports/part-1.csv
    Similar: \`reports/part-1.csv\`.
~/reports/unit/*
    nothing
reports/coverage.csv:Title
    Similar: \`reports/coverage.csv\`.
reports/coverage.csv => a.csv
    Similar: \`reports/coverage.csv\`.
reports/part-2.csv
    nothing
.reports/a.txt
    nothing
reports/note.txt/*.csv
    nothing
reports/xyz.csv
    nothing
reports/*.json
    nothing
reports/not.txt
    nothing
/no-such-folder/*.csv
    nothing
coverage/*.csv
    nothing
coverage/*.yml
    nothing
reports/*.t
    nothing
reports/*.cab
    nothing
env
    nothing

README.md reports/unit.csv reports/api.xml reports/Test␣Result.csv packages/a/coverage/a.csv packages/a/Outer$Inner.class shot␣1.png reports/.out/e2e.json empty/
report*
    Similar: \`reports/Test Result.csv\`, \`reports/api.xml\`, \`reports/unit.csv\`.
./packages/*
    Similar: \`packages/a/Outer$Inner.class\`.
packages/{}/a.csv
    nothing
$GITHUB_WORKSPACE/README.md
    Similar: \`README.md\`.
shot%201.png
    Similar: \`shot 1.png\`.
packages/a/Outer$Iner.class
    Similar: \`packages/a/Outer$Inner.class\`.
out/Test Result.csv
    Similar: \`reports/Test Result.csv\`.
reports/.out/e2e.jsno
    Similar: \`reports/.out/e2e.json\`.
shot_1.png
    Similar: \`shot 1.png\`.
packages/*/covrage/*.csv
    Similar: \`packages/a/coverage/a.csv\`.
*.MD
    Similar: \`README.md\`.
reports/*.csv # note
    Similar: \`reports/Test Result.csv\`, \`reports/unit.csv\`.
- reports/*.csv
    Similar: \`reports/Test Result.csv\`, \`reports/unit.csv\`.
“reports/*.csv”,
    Similar: \`reports/Test Result.csv\`, \`reports/unit.csv\`.
D:\\a\\r\\r\\reports\\*.csv
    Similar: \`reports/Test Result.csv\`, \`reports/unit.csv\`.
reports/unit].csv
    Similar: \`reports/unit.csv\`.
reports/unit csv
    Similar: \`reports/unit.csv\`.
reports /unit.csv
    Similar: \`reports/unit.csv\`.
repots/unti.csv
    Similar: \`reports/unit.csv\`.
reports\\unit.csv
    Similar: \`reports/unit.csv\`.
/unit.csv
    Similar: \`reports/unit.csv\`.
cov: reports/unit.csv
    Similar: \`reports/unit.csv\`.
path=@reports/unit.csv
    Similar: \`reports/unit.csv\`.
"reports/unit.csv
    Similar: \`reports/unit.csv\`.
\`reports/unit.csv\`
    Similar: \`reports/unit.csv\`.
reports/unit.csv;
    Similar: \`reports/unit.csv\`.
reports/unit.csv -> b.csv
    Similar: \`reports/unit.csv\`.
reports/unit.csv as b.csv
    Similar: \`reports/unit.csv\`.
reports/unit.csv#Unit
    Similar: \`reports/unit.csv\`.
reports/unit.csv:
    Similar: \`reports/unit.csv\`.
not reports/unit.csv
    Similar: \`reports/unit.csv\`.
-reports/unit.csv
    Similar: \`reports/unit.csv\`.
reports/unit.csv or out/api.xml
    Similar: \`reports/api.xml\`.
reports/!(unit).csv
    nothing
reports/unit.csv.gz
    nothing
shot 3.png
    nothing

reports/unit.csv app/src/a.ts app/out/b.csv
reports/unit.csv | {"workingDirectory":"app"}
    Similar: \`../reports/unit.csv\`.
reports/*.csv | {"workingDirectory":"app"}
    Similar: \`../reports/unit.csv\`.
out/*.cvs | {"workingDirectory":"app"}
    Similar: \`out/b.csv\`.
app/out/b.csv | {"workingDirectory":"app"}
    Similar: \`out/b.csv\`.
../report/unit.csv | {"workingDirectory":"app"}
    Similar: \`../reports/unit.csv\`.
["unit.csv"] | {"workingDirectory":"app"}
    Similar: \`../reports/unit.csv\`.
[{"path": "unit.csv"}] | {"workingDirectory":"app"}
    Similar: \`reports/unit.csv\`."
`)
})

test('which file is meant depends on what else is there', async () => {
  const trees = `
x/app/unti.csv x/app/y/unit.csv unit.csv
# Where most folders are as written.
x/app/unit.csv

a/index.html b/docs/index.html b/docs/c/index.html
x/docs/index.html

lcov.info b/coverage/lcov.info
coverage/lcov.info

x/a[1].csv y/a1.csv
a[[]1].csv

a/b/1.csv a/2.csv c.txt
**.csv

a/x/1.csv b/1.csv
a/*.csv⏎!a/x

node_modules/far.csv node_modules.old/far.csv
*.csv

reports/unit/a.csv reports/unit/b.csv old/reports/c.csv
reports/*.csv

a/index.html b/index.html
# Either page can be meant.
c/index.html

out-20261128-143012.xml out-unit.xml
# A number that only one of them has, like a time.
out.xml

2026-11-28_out.xml
out.xml

dist/App.zip dist/App-1.4.1.zip
dist/App-1.4.0.zip

.vitest/index.html .vitest/ui/index.html
# Hidden files are named if nothing else is, and the line names one file.
html/index.html

.vitest/index.html app/index.html
html/index.html

.report.json
report.json

.vitest/a.html
html/*.html

.out/a.html
*.html

a/unit.csv a/unti.csv
# The same name is nearer than almost the same.
b/unit.csv

out/coverage.csv
# The folder can be another one.
reports/cov*

a/b/unit.csv x/unit.csv
**/c/**/unit.csv

a/unit/b.csv a/unit.csv
# Only folders.
a/unti/

b/x[1].csv
x[1].csv

keys/id_rsa
# What must not be sent by its name is not offered.
id_rsa
`
  expect(await similar(trees)).toMatchInlineSnapshot(`
"x/app/unti.csv x/app/y/unit.csv unit.csv
# Where most folders are as written.
x/app/unit.csv
    Similar: \`x/app/unti.csv\`.

a/index.html b/docs/index.html b/docs/c/index.html
x/docs/index.html
    Similar: \`b/docs/index.html\`.

lcov.info b/coverage/lcov.info
coverage/lcov.info
    Similar: \`b/coverage/lcov.info\`.

x/a[1].csv y/a1.csv
a[[]1].csv
    Similar: \`x/a[1].csv\`.

a/b/1.csv a/2.csv c.txt
**.csv
    Similar: \`a/2.csv\`, \`a/b/1.csv\`.

a/x/1.csv b/1.csv
a/*.csv⏎!a/x
    nothing

node_modules/far.csv node_modules.old/far.csv
*.csv
    Similar: \`node_modules.old/far.csv\`.

reports/unit/a.csv reports/unit/b.csv old/reports/c.csv
reports/*.csv
    Similar: \`old/reports/c.csv\`, \`reports/unit/a.csv\`, \`reports/unit/b.csv\`.

a/index.html b/index.html
# Either page can be meant.
c/index.html
    Similar: \`a/index.html\`, \`b/index.html\`.

out-20261128-143012.xml out-unit.xml
# A number that only one of them has, like a time.
out.xml
    Similar: \`out-20261128-143012.xml\`.

2026-11-28_out.xml
out.xml
    Similar: \`2026-11-28_out.xml\`.

dist/App.zip dist/App-1.4.1.zip
dist/App-1.4.0.zip
    Similar: \`dist/App.zip\`.

.vitest/index.html .vitest/ui/index.html
# Hidden files are named if nothing else is, and the line names one file.
html/index.html
    Similar: \`.vitest/index.html\`.

.vitest/index.html app/index.html
html/index.html
    Similar: \`app/index.html\`.

.report.json
report.json
    Similar: \`.report.json\`.

.vitest/a.html
html/*.html
    nothing

.out/a.html
*.html
    nothing

a/unit.csv a/unti.csv
# The same name is nearer than almost the same.
b/unit.csv
    Similar: \`a/unit.csv\`.

out/coverage.csv
# The folder can be another one.
reports/cov*
    Similar: \`out/coverage.csv\`.

a/b/unit.csv x/unit.csv
**/c/**/unit.csv
    Similar: \`a/b/unit.csv\`, \`x/unit.csv\`.

a/unit/b.csv a/unit.csv
# Only folders.
a/unti/
    Similar: \`a/unit/b.csv\`.

b/x[1].csv
x[1].csv
    Similar: \`b/x[1].csv\`.

keys/id_rsa
# What must not be sent by its name is not offered.
id_rsa
    nothing"
`)
})

test('an exclusion is almost right only if each of its names is in the path of a file', async () => {
  // As they stand in public workflows, each with files of which it excludes none.
  const lines = `
!**/node_modules/** ← dist/index.html build/app.tar.gz
!**/.venv/** ← dist/app-1.2.0.whl build/lib/app/venv.py
!target/release/*.d ← target/release/app target/release/app.dll
!target/release/*.pdb ← target/release/app.exe target/release/app.pdf
!target/coverage/tarpaulin-report.json ← target/coverage/lcov.info target/coverage/tarpaulin-report.html
!target/*-sources.jar ← target/app-1.2.0.jar target/app-1.2.0-javadoc.jar
!**/target/*-sources.jar ← api/target/api-1.2.0.jar
!build/**/*.o ← build/bin/app build/lib/libapp.so
!build/**/*.obj ← build/bin/app.exe build/lib/app.lib
!build/**/tmp/ ← build/bin/app build/tmp.log
!build/node_modules/ ← build/index.html build/static/js/main.js
!build/binaries/**/app/** ← build/binaries/main/deb/app_1.2.0_amd64.deb
!build/binaries/**/runtime/** ← build/binaries/main/dmg/App-1.2.0.dmg
!dist/**/*.map ← dist/index.js dist/assets/index.css dist/assets/index.mjs
!dist/**/*.md ← dist/index.js dist/docs.mdx
!dist/**/*md ← dist/index.js dist/amd.js
!dist/**/*.test.js ← dist/index.js dist/test.js
!release/**/mac-*/** ← release/App-1.2.0.dmg release/latest-mac.yml
!release/*.blockmap ← release/App-1.2.0.dmg release/App-1.2.0.exe
!packages/*/dist/**/*.map ← packages/api/dist/index.js packages/web/dist/main.css
!packages/*/node_modules/ ← packages/api/dist/index.js
!packages/playground ← packages/api/dist/index.js packages/web/dist/index.js
!packages/legacy/lcov.info ← packages/web/lcov.info packages/api/lcov.info
!**/bin/**/ref/** ← src/App/bin/Release/net10.0/App.dll
!**/*.pdb ← src/App/bin/Release/App.dll src/App/bin/Release/manual.pdf
!app/build/**/unsigned* ← app/build/outputs/apk/release/app-release.apk
!test-results/**/runtime-state.json ← test-results/server-mode/junit.xml
!test-results/**/*.md ← README.md docs/setup.md
!docs/reference/** ← docs/index.md docs/guide/setup.md
!docs/llms*.txt ← docs/index.md docs/robots.txt
!docs/wiki/**/* ← docs/setup.md README.md
!docs/screenshots/** ← docs/index.html
!coverage/tmp/** ← coverage/lcov.info coverage/lcov-report/index.html
!path/**/*.tmp ← path/output/bin/app path/output/test.txt
!**/*.test.ts ← src/app.ts src/test.ts
!**/test/** ← src/main/app.log src/latest/app.log
!**/tests/** ← app/test/unit.log
!**/*.jpg ← screens/a.png screens/b.jpeg
!*.lock ← package.json app/Cargo.toml
!logs/debug-*.log ← logs/test-1.log logs/debug/1.txt
!apps/web2/** ← apps/web/a.csv
!apps/web/** ← apps/web2/a.csv
!reports/2025/** ← reports/2026/a.csv
!cov*/ ← r/coverage.csv
!*/*/* ← r/a.csv
!**/.coverage ← coverage/index.html coverage.xml
!**/.cache/** ← out/cache/a.json
!.git/** ← git/a.html
!**/*IT.xml ← test-results/junit.xml
!**/*IT*.xml ← target/TEST-app.SecurityTest.xml
!$GITHUB_WORKSPACE/reports/private/** ← reports/private/salaries.csv
!reports/{tmp, old}/** ← reports/private/a.csv
!**/Unit-*.csv ← r/unit-1.csv
!**/*.CSV ← r/a.csv
!reports/private/**, ← reports/private/salaries.csv
!reports/private/**; !*.tmp ← reports/private/salaries.csv
!reports/private/** !*.tmp ← reports/private/salaries.csv
!reports/@(private|old)/** ← reports/private/salaries.csv
!$(pwd)/reports/private/** ← reports/private/salaries.csv
!{{ github.workspace }}/reports/private/** ← reports/private/salaries.csv
!reports/privat/** ← reports/private/salaries.csv
!reports/privat/ ← reports/private/salaries.csv
!reports/pirvate/** ← reports/private/salaries.csv
!report/private ← reports/private/salaries.csv
!private/** ← reports/private/salaries.csv
!/reports/secret.csv ← app/reports/secret.csv
!app/app/secret.csv ← app/secret.csv
!*.tmp ← r/d/a.tmp
!**/*.cvs ← r/a.csv
!test_results/secret.xml ← test-results/a/secret.xml
!**/salarie.csv ← reports/private/salaries.csv
!reports/Private/** ← reports/private/salaries.csv
!reports\\private\\* ← reports/private/salaries.csv
`
  const context = await searchContext([], findOptions(process.cwd()))
  const closest = async (row: string) => {
    const [line = '', files = ''] = row.split(' ← ')
    const [pattern] = patternLines(line)
    const close = pattern ? await closestFiles(context, pattern, files.split(' '), 99) : []
    return close.length > 0 ? 'almost right' : 'right'
  }
  expect(await groups(lines, closest)).toMatchInlineSnapshot(`
"right
    !**/node_modules/** ← dist/index.html build/app.tar.gz
    !**/.venv/** ← dist/app-1.2.0.whl build/lib/app/venv.py
    !target/release/*.d ← target/release/app target/release/app.dll
    !target/release/*.pdb ← target/release/app.exe target/release/app.pdf
    !target/coverage/tarpaulin-report.json ← target/coverage/lcov.info target/coverage/tarpaulin-report.html
    !target/*-sources.jar ← target/app-1.2.0.jar target/app-1.2.0-javadoc.jar
    !**/target/*-sources.jar ← api/target/api-1.2.0.jar
    !build/**/*.o ← build/bin/app build/lib/libapp.so
    !build/**/*.obj ← build/bin/app.exe build/lib/app.lib
    !build/**/tmp/ ← build/bin/app build/tmp.log
    !build/node_modules/ ← build/index.html build/static/js/main.js
    !build/binaries/**/app/** ← build/binaries/main/deb/app_1.2.0_amd64.deb
    !build/binaries/**/runtime/** ← build/binaries/main/dmg/App-1.2.0.dmg
    !dist/**/*.map ← dist/index.js dist/assets/index.css dist/assets/index.mjs
    !dist/**/*.md ← dist/index.js dist/docs.mdx
    !dist/**/*md ← dist/index.js dist/amd.js
    !dist/**/*.test.js ← dist/index.js dist/test.js
    !release/**/mac-*/** ← release/App-1.2.0.dmg release/latest-mac.yml
    !release/*.blockmap ← release/App-1.2.0.dmg release/App-1.2.0.exe
    !packages/*/dist/**/*.map ← packages/api/dist/index.js packages/web/dist/main.css
    !packages/*/node_modules/ ← packages/api/dist/index.js
    !packages/playground ← packages/api/dist/index.js packages/web/dist/index.js
    !packages/legacy/lcov.info ← packages/web/lcov.info packages/api/lcov.info
    !**/bin/**/ref/** ← src/App/bin/Release/net10.0/App.dll
    !**/*.pdb ← src/App/bin/Release/App.dll src/App/bin/Release/manual.pdf
    !app/build/**/unsigned* ← app/build/outputs/apk/release/app-release.apk
    !test-results/**/runtime-state.json ← test-results/server-mode/junit.xml
    !test-results/**/*.md ← README.md docs/setup.md
    !docs/reference/** ← docs/index.md docs/guide/setup.md
    !docs/llms*.txt ← docs/index.md docs/robots.txt
    !docs/wiki/**/* ← docs/setup.md README.md
    !docs/screenshots/** ← docs/index.html
    !coverage/tmp/** ← coverage/lcov.info coverage/lcov-report/index.html
    !path/**/*.tmp ← path/output/bin/app path/output/test.txt
    !**/*.test.ts ← src/app.ts src/test.ts
    !**/test/** ← src/main/app.log src/latest/app.log
    !**/*.jpg ← screens/a.png screens/b.jpeg
    !*.lock ← package.json app/Cargo.toml
    !logs/debug-*.log ← logs/test-1.log logs/debug/1.txt
    !apps/web2/** ← apps/web/a.csv
    !apps/web/** ← apps/web2/a.csv
    !reports/2025/** ← reports/2026/a.csv
    !cov*/ ← r/coverage.csv
    !*/*/* ← r/a.csv
    !**/.coverage ← coverage/index.html coverage.xml
    !**/.cache/** ← out/cache/a.json
    !.git/** ← git/a.html
    !**/*IT.xml ← test-results/junit.xml
    !**/*IT*.xml ← target/TEST-app.SecurityTest.xml
    !reports/{tmp, old}/** ← reports/private/a.csv
almost right
    !**/tests/** ← app/test/unit.log
    !$GITHUB_WORKSPACE/reports/private/** ← reports/private/salaries.csv
    !**/Unit-*.csv ← r/unit-1.csv
    !**/*.CSV ← r/a.csv
    !reports/private/**, ← reports/private/salaries.csv
    !reports/private/**; !*.tmp ← reports/private/salaries.csv
    !reports/private/** !*.tmp ← reports/private/salaries.csv
    !reports/@(private|old)/** ← reports/private/salaries.csv
    !$(pwd)/reports/private/** ← reports/private/salaries.csv
    !{{ github.workspace }}/reports/private/** ← reports/private/salaries.csv
    !reports/privat/** ← reports/private/salaries.csv
    !reports/privat/ ← reports/private/salaries.csv
    !reports/pirvate/** ← reports/private/salaries.csv
    !report/private ← reports/private/salaries.csv
    !private/** ← reports/private/salaries.csv
    !/reports/secret.csv ← app/reports/secret.csv
    !app/app/secret.csv ← app/secret.csv
    !*.tmp ← r/d/a.tmp
    !**/*.cvs ← r/a.csv
    !test_results/secret.xml ← test-results/a/secret.xml
    !**/salarie.csv ← reports/private/salaries.csv
    !reports/Private/** ← reports/private/salaries.csv
    !reports\\private\\* ← reports/private/salaries.csv"
`)
})
