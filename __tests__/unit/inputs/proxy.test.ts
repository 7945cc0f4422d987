import { expect, test } from '@jest/globals'
import { checkProxies } from '../../../src/inputs/proxy.ts'

test.each([
  'http://proxy.example:3128',
  'http://proxy.example:3128/',
  'https://user:p%40ss@proxy.example',
  'socks5://proxy.example',
])('a proxy is %s', (address) => {
  expect(() => checkProxies({ https_proxy: address })).not.toThrow()
})

test.each([
  'proxy.example:3128',
  'ftp://proxy.example',
  'http://user:p%zz@proxy.example',
  'http://proxy.example:3128/path',
  'http://proxy.example:3128?query',
  'http://proxy.example:3128#fragment',
])('a proxy is not %s, and the value is not shown', (address) => {
  expect(() => checkProxies({ https_proxy: address })).toThrow(
    /^`https_proxy` is not the URL of a proxy\.\nWrite it with its scheme/,
  )
})
