// @actions/core imports the package to request an OpenID Connect token. The action requests none.
export class HttpClient {
  constructor() {
    throw new Error('This bundle has no @actions/http-client: see scripts/trim/')
  }
}

export class BearerCredentialHandler {}
