const folders: ReadonlyMap<string, string> = new Map([
  ['.git', 'belongs to git, which keeps tokens there'],
  ['.ssh', 'belongs to ssh, which keeps keys there'],
  ['.aws', 'belongs to the AWS tools, which keep credentials there'],
  ['.gnupg', 'belongs to GnuPG, which keeps keys there'],
])

const names: readonly (readonly [RegExp, string])[] = [
  [/^\.env(?!.*\.(example|sample|template)$)/, 'is an environment file, where credentials are kept'],
  [/^\.npmrc$/, 'is where npm keeps tokens'],
  [/^\.netrc$/, 'is where passwords for hosts are kept'],
  [/^\.pypirc$/, 'is where Python tools keep tokens'],
  [/^gha-creds-.*\.json$/, 'is a credentials file of google-github-actions/auth'],
  [/^kubeconfig$/, 'is where Kubernetes tools keep credentials'],
  [/\.tfstate(\.backup)?$/, 'is a Terraform state, which holds secrets in plain text'],
  [/\.(p12|pfx|jks)$/, 'is a key store'],
]

/**
 * Why a path is known to be a place for credentials, as the end of a sentence that begins with the path.
 *
 * @param path relative to the workspace where it lies below it, with `/`. Case does not matter, as on Windows and macOS.
 */
export function credentialsAt(path: string): string | undefined {
  const segments = path.toLowerCase().split('/')
  const name = segments.at(-1) ?? ''
  const folder = segments.slice(0, -1).find((segment) => folders.has(segment))
  if (folder !== undefined) {
    return folders.get(folder)
  }
  if (name === 'config.json' && segments.at(-2) === '.docker') {
    return 'is where Docker keeps registry passwords'
  }
  return names.find(([pattern]) => pattern.test(name))?.[1]
}

/** Files of this name hold a private key or something harmless, such as a certificate: only the content tells. */
export function mayHoldPrivateKey(path: string): boolean {
  return /(^|\/)(id_[^/]*|[^/]*\.(pem|key))$/i.test(path)
}

/** In PEM, OpenSSH and PKCS #8 files alike; the keys of PuTTY have other names and are not looked for. */
export function holdsPrivateKey(content: Buffer): boolean {
  return content.includes('PRIVATE KEY-----')
}
