// A certificate authority of one's own.
import { generate } from 'selfsigned'
import type { Tls } from '../../sandbox/server.ts'

export async function newAuthority() {
  const basicConstraints = { name: 'basicConstraints', cA: true, critical: true } as const
  const authority = await generate([{ name: 'commonName', value: 'Company Authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [basicConstraints],
  })
  return {
    /** PEM */
    certificate: authority.cert,
    /** A certificate for a name or an IPv4 address. */
    async certify(
      host: string,
      { bits, by, from, until }: Partial<Record<'by' | 'from' | 'until', string> & { bits: number }> = {},
    ): Promise<Tls> {
      const isAddress = /^[\d.]+$/.test(host)
      const certificate = await generate([{ name: 'commonName', value: host }], {
        ...(bits === undefined ? { keyType: 'ec' } : { keyType: 'rsa', keySize: bits }),
        algorithm: 'sha256',
        extensions: [
          { name: 'subjectAltName', altNames: [isAddress ? { type: 7, ip: host } : { type: 2, value: host }] },
        ],
        ...(by === 'itself' ? {} : { ca: { key: authority.private, cert: authority.cert } }),
        ...(from && { notBeforeDate: new Date(from) }),
        ...(until && { notAfterDate: new Date(until) }),
      })
      return { key: certificate.private, cert: certificate.cert }
    },
  }
}
