#!/usr/bin/env bash
# Cron libraries: 20/15 is once an hour, 0-7 is every Sunday, and */2 with a weekday is either
#
# Guess:     what the manual of GitHub's schedule has (20/15: at 20, 35 and 50), and what cron itself has
#            known for decades, means the same in each library, or is refused.
# Happens:   cron-schedule takes 20/15 for 20, without a word; croner refuses it. cronosjs takes 0-7 for 0:
#            Sundays in place of every day. robfig/cron refuses 7. A day of the month and a weekday
#            mean either of them, but for cron itself, a field that begins with * does not count
#            (crontab(5)): */2 and 1 is a Monday with an odd date. Only gronx does that.
# Versions:  cron-parser 5.10.5, croner 11.0.0, cron-schedule 6.0.0, cronosjs 1.7.1, croniter 7.0.0,
#            github.com/robfig/cron/v3 v3.0.1, github.com/adhocore/gronx v1.20.4, Node 24.21.0,
#            Python 3.11.7, Go 1.26.8
# Seen:      2026-11-29
# Who meets it: runners of one's own, and dashboards that say when a workflow comes next.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
install cron-parser@5.10.5 croner@11.0.0 cron-schedule@6.0.0 cronosjs@1.7.1
install_python croniter==7.0.0

cat > lines.txt <<'TXT'
20/15 * * * *
0 9 * * 7
0 9 * * 0-7
0 0 */2 * 1
TXT
cat > finding.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { CronExpressionParser } from 'cron-parser'
import { parseCronExpression } from 'cron-schedule'
import { Cron } from 'croner'
import cronosjs from 'cronosjs'

const from = new Date('2026-11-29T12:00:00Z')
const libraries = {
  'cron-parser': (line) => CronExpressionParser.parse(line, { currentDate: from, tz: 'UTC' }).take(4),
  croner: (line) => new Cron(line, { timezone: 'UTC' }).nextRuns(4, from),
  'cron-schedule': (line) => parseCronExpression(line).getNextDates(4, from),
  cronosjs: (line) => cronosjs.CronosExpression.parse(line, { timezone: 'UTC' }).nextNDates(from, 4),
}
for (const line of readFileSync('lines.txt', 'utf8').trim().split('\n'))
  for (const [name, next] of Object.entries(libraries)) {
    let times = 'refused'
    try {
      times = next(line).map((time) => time.toISOString().slice(5, 16).replace('T', ' ')).join(', ')
    } catch {}
    console.log(`${line}: ${name}: ${times}`)
  }
JS
cat > finding.py <<'PY'
import datetime

import croniter

for line in open('lines.txt').read().splitlines():
    times = croniter.croniter(line, datetime.datetime(2026, 11, 29, 12))
    next_ones = [times.get_next(datetime.datetime).strftime('%m-%d %H:%M') for _ in range(4)]
    print(f'{line}: croniter:', ', '.join(next_ones))
PY
cat > main.go <<'GO'
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"

	"github.com/adhocore/gronx"
	"github.com/robfig/cron/v3"
)

func show(line, name string, next func(time.Time) time.Time) {
	text, separator := line+": "+name+":", " "
	for now, i := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC), 0; i < 4; i++ {
		now = next(now)
		if now.IsZero() {
			text += separator + "refused"
			break
		}
		text, separator = text+separator+now.Format("01-02 15:04"), ", "
	}
	fmt.Println(text)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		line := lines.Text()
		show(line, "gronx", func(now time.Time) time.Time {
			next, _ := gronx.NextTickAfter(line, now, false)
			return next
		})
		schedule, err := cron.ParseStandard(line)
		show(line, "robfig/cron", func(now time.Time) time.Time {
			if err != nil {
				return time.Time{}
			}
			return schedule.Next(now)
		})
	}
}
GO
build_go github.com/robfig/cron/v3@v3.0.1 github.com/adhocore/gronx@v1.20.4
export TZ=UTC
{ node finding.mjs && python/bin/python finding.py && ./finding < lines.txt; } > all.txt 2>&1
while read -r line; do play grep -F "$line: " all.txt; done < lines.txt
described <<'END'
20/15 * * * *: cron-parser: 11-29 12:20, 11-29 12:35, 11-29 12:50, 11-29 13:20
20/15 * * * *: croner: refused
20/15 * * * *: cron-schedule: 11-29 12:20, 11-29 13:20, 11-29 14:20, 11-29 15:20
20/15 * * * *: cronosjs: 11-29 12:20, 11-29 12:35, 11-29 12:50, 11-29 13:20
20/15 * * * *: croniter: 11-29 12:20, 11-29 12:35, 11-29 12:50, 11-29 13:20
20/15 * * * *: gronx: 11-29 12:20, 11-29 12:35, 11-29 12:50, 11-29 13:20
20/15 * * * *: robfig/cron: 11-29 12:20, 11-29 12:35, 11-29 12:50, 11-29 13:20
0 9 * * 7: cron-parser: 12-06 09:00, 12-13 09:00, 12-20 09:00, 12-27 09:00
0 9 * * 7: croner: 12-06 09:00, 12-13 09:00, 12-20 09:00, 12-27 09:00
0 9 * * 7: cron-schedule: 12-06 09:00, 12-13 09:00, 12-20 09:00, 12-27 09:00
0 9 * * 7: cronosjs: 12-06 09:00, 12-13 09:00, 12-20 09:00, 12-27 09:00
0 9 * * 7: croniter: 12-06 09:00, 12-13 09:00, 12-20 09:00, 12-27 09:00
0 9 * * 7: gronx: 12-06 09:00, 12-13 09:00, 12-20 09:00, 12-27 09:00
0 9 * * 7: robfig/cron: refused
0 9 * * 0-7: cron-parser: 11-30 09:00, 12-01 09:00, 12-02 09:00, 12-03 09:00
0 9 * * 0-7: croner: 11-30 09:00, 12-01 09:00, 12-02 09:00, 12-03 09:00
0 9 * * 0-7: cron-schedule: 11-30 09:00, 12-01 09:00, 12-02 09:00, 12-03 09:00
0 9 * * 0-7: cronosjs: 12-06 09:00, 12-13 09:00, 12-20 09:00, 12-27 09:00
0 9 * * 0-7: croniter: 11-30 09:00, 12-01 09:00, 12-02 09:00, 12-03 09:00
0 9 * * 0-7: gronx: 11-30 09:00, 12-01 09:00, 12-02 09:00, 12-03 09:00
0 9 * * 0-7: robfig/cron: refused
0 0 */2 * 1: cron-parser: 11-30 00:00, 12-01 00:00, 12-03 00:00, 12-05 00:00
0 0 */2 * 1: croner: 11-30 00:00, 12-01 00:00, 12-03 00:00, 12-05 00:00
0 0 */2 * 1: cron-schedule: 11-30 00:00, 12-01 00:00, 12-03 00:00, 12-05 00:00
0 0 */2 * 1: cronosjs: 11-30 00:00, 12-01 00:00, 12-03 00:00, 12-05 00:00
0 0 */2 * 1: croniter: 11-30 00:00, 12-01 00:00, 12-03 00:00, 12-05 00:00
0 0 */2 * 1: gronx: 12-07 00:00, 12-21 00:00, 01-11 00:00, 01-25 00:00
0 0 */2 * 1: robfig/cron: 11-30 00:00, 12-01 00:00, 12-03 00:00, 12-05 00:00
END
