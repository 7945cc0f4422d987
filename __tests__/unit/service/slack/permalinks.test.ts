import { describe, expect, test } from '@jest/globals'
import type { Posting } from '../../../../src/service/service.ts'
import { permalinksOf } from '../../../../src/service/slack/permalinks.ts'
import { type Reply, response, scriptedService } from '../../../support/scripted-service.ts'

const posting = (ts?: string, id = 'C1'): Posting => ({
  channel: { id, requested: id },
  state: 'posted',
  ...(ts === undefined ? {} : { ts }),
})
const link = (ts: string) => `https://chat.example/archives/C1/p${ts.replace('.', '')}?thread=1`
const method = 'chat.getPermalink'

async function linksOf(postings: readonly Posting[], replies: readonly Reply[]) {
  const { api, clock, play, requests } = scriptedService({ [method]: replies })
  const linked = await play(Promise.all(postings.map(permalinksOf(api))))
  return {
    links: linked.map(({ permalink }) => permalink),
    linked,
    requests,
    milliseconds: clock.now(),
  }
}

describe('The link to a message', () => {
  test('comes from the service for the first of a channel, and is made after it for the others', async () => {
    const { links, requests } = await linksOf(
      [posting('1.5'), posting('2.6'), posting('3.7', 'D1')],
      [
        { ok: true, permalink: link('1.5') },
        { ok: true, permalink: link('3.7') },
      ],
    )
    expect(links).toEqual([link('1.5'), link('2.6'), link('3.7')])
    expect(requests.map(({ form }) => form)).toEqual([
      { channel: 'C1', message_ts: '1.5' },
      { channel: 'D1', message_ts: '3.7' },
    ])
  })

  test('is not requested without a ts', async () => {
    const { linked, requests } = await linksOf([posting()], [])
    expect(linked).toEqual([posting()])
    expect(requests).toEqual([])
  })

  test.each([
    '{"ok":true}',
    '{"ok":true,"permalink":"https://chat.example/archives/C1"}',
    '{"ok":true,"permalink":"https://chat.example/archives/C1/p26"}',
    '{"ok":true,"permalink":"http://chat.example/p15"}',
    '{"ok":false,"error":"message_not_found"}',
  ])('is absent if the response is %s', async (reply) => {
    const { linked } = await linksOf([posting('1.5')], [JSON.parse(reply)])
    expect(linked).toEqual([posting('1.5')])
  })

  test('is tried twice, and is worth waiting five seconds for', async () => {
    const twice = await linksOf([posting('1.5')], [response(500)])
    expect([twice.links, twice.requests.length]).toEqual([[undefined], 2])
    const limited = (seconds: number) => [
      response(429, '', { 'retry-after': `${seconds}` }),
      { ok: true, permalink: link('1.5') },
    ]
    expect((await linksOf([posting('1.5')], limited(4))).links).toEqual([link('1.5')])
    expect((await linksOf([posting('1.5')], limited(5))).milliseconds).toBe(0)
    const late = await linksOf(
      [posting('1.5')],
      [{ ok: true, permalink: link('1.5'), after: 30_000 }],
    )
    expect([late.links, late.milliseconds]).toEqual([[undefined], 5_000])
  })
})
