// Pages of the documentation that annotations and the job summary link to.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { helpPages } from '../../src/problem.ts'

test.each(Object.entries(helpPages))('the page about %s exists, with its heading: %s', (_, page) => {
  const [path = '', anchor] = page.split('#')
  const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
  // As GitHub makes an anchor of a heading.
  const anchors = Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
  expect([undefined, ...anchors]).toContain(anchor)
})
