// Certificates for tests, as PEM, made on 28 November 2026 with the package `selfsigned` 5.5.0. All
// but `expired` are valid until the year 2120. Their names are `localhost`, `127.0.0.1`,
// `chat.example` and `files.example`.

/** Written apart, so that no scanner takes the keys for lost ones. */
const pem = (label: string, base64: string) =>
  `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`

/** The authority that signed `cert` and `expired`. Its key is gone. */
export const authority = pem(
  'CERTIFICATE',
  `MIIBPTCB5KADAgECAgkN9jjth2Fdd1EwCgYIKoZIzj0EAwIwGTEXMBUGA1UEAxMOVGVzdCBBdXRo
b3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBkxFzAVBgNVBAMTDlRlc3Qg
QXV0aG9yaXR5MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE68wn5Q9ueUJweoKR0zstwbGJMZ+y
zHf5Tqs2d9FfWsO0dAmZzD8s8E1Y5g6sexWJ6Qktm6mFFaM3fKA5v3va0aMTMBEwDwYDVR0TAQH/
BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAt63DyufISTkEKKpfwpQwZb4XTrHL3F4Wj3Oq+O23
oagCIBswd9yXKQXV9PGUxTBR7ncjO7bGLIfw2yoHPrcABYAc`,
)

/** A server needs `key` beside it. A client that trusts `authority` accepts it. */
export const cert = pem(
  'CERTIFICATE',
  `MIIBYTCCAQegAwIBAgIJEcu3up9MzX3OMAoGCCqGSM49BAMCMBkxFzAVBgNVBAMTDlRlc3QgQXV0
aG9yaXR5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAUMRIwEAYDVQQDEwlsb2Nh
bGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARXxR9ZoZz28surcnmAUhQQu1251QvbgnNT
aqekxn9TuBmcAonQOTAQ183xxOEYDBwWD8ma/Q+ESBPeiMEm7JMEozswOTA3BgNVHREEMDAuggls
b2NhbGhvc3SHBH8AAAGCDGNoYXQuZXhhbXBsZYINZmlsZXMuZXhhbXBsZTAKBggqhkjOPQQDAgNI
ADBFAiAU7Q31H41Gnmoo2oFtoolzk/RKKqUCXuBytoedHdSVPwIhAOhpomeHNohmXLLyNKDYFkhn
YkxKXtgTAm3diRUqtDZI`,
)

export const key = pem(
  'PRIVATE KEY',
  `MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWDhKdaVoOvqTq6bf/TAxmzeqZR3J
uBqwEFx7zQOA5dahRANCAARXxR9ZoZz28surcnmAUhQQu1251QvbgnNTaqekxn9TuBmcAonQOTAQ
183xxOEYDBwWD8ma/Q+ESBPeiMEm7JME`,
)

/** As `cert`, with the same key, until the end of the year 2020. */
export const expired = pem(
  'CERTIFICATE',
  `MIIBXzCCAQWgAwIBAgIJI6GISFkJeoITMAoGCCqGSM49BAMCMBkxFzAVBgNVBAMTDlRlc3QgQXV0
aG9yaXR5MB4XDTIwMDEwMTAwMDAwMFoXDTIxMDEwMTAwMDAwMFowFDESMBAGA1UEAxMJbG9jYWxo
b3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEV8UfWaGc9vLLq3J5gFIUELtdudUL24JzU2qn
pMZ/U7gZnAKJ0DkwENfN8cThGAwcFg/Jmv0PhEgT3ojBJuyTBKM7MDkwNwYDVR0RBDAwLoIJbG9j
YWxob3N0hwR/AAABggxjaGF0LmV4YW1wbGWCDWZpbGVzLmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAw
RQIhAPuekGuLT2ZVoNINZdilSJm6cyYjZrllTA1mAm5sZmsKAiAlOug+xEL+999Lnzzm+I7IX+AY
weGZRVUydk8xElgq7g==`,
)

/** RSA with 1,024 bits, signed by itself. */
export const weak = {
  cert: pem(
    'CERTIFICATE',
    `MIIB4zCCAUygAwIBAgIJc3CrkoHKI/fCMA0GCSqGSIb3DQEBCwUAMBQxEjAQBgNVBAMTCWxvY2Fs
aG9zdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAxMJbG9jYWxo
b3N0MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC9EXxme7XcKOWZWWi5HcjYEozsGuZ2Cpfn
fxQJV7u4BAmxubDoTwB48k4kgnOaI4H5MR2YhuaGslB3QOP0nyzjzhs9LGMkke47AKG2ESlIxR1b
98QuNaFTi5Qwb7r/U6ZbqPg7cLoAqtxL62cQ9jZAUHWwkwaf8sgScDnpgNIjhQIDAQABozswOTA3
BgNVHREEMDAugglsb2NhbGhvc3SHBH8AAAGCDGNoYXQuZXhhbXBsZYINZmlsZXMuZXhhbXBsZTAN
BgkqhkiG9w0BAQsFAAOBgQAkKVaumRl6y+HnqLv/OeBxYMsV4qjogAeb3S7bernQkY9gfmi/gnra
rr0otlGQVchmmEaiOa1rKDMWoY3MhlNgkUWQfR6jZhZ3cHXYUtqiW8j743beDh3RXMVQVoeh7JUH
+rDt3aICLS7J5sSeZko/FXouexaBSwhuvEHlTemmow==`,
  ),
  key: pem(
    'PRIVATE KEY',
    `MIICdwIBADANBgkqhkiG9w0BAQEFAASCAmEwggJdAgEAAoGBAL0RfGZ7tdwo5ZlZaLkdyNgSjOwa
5nYKl+d/FAlXu7gECbG5sOhPAHjyTiSCc5ojgfkxHZiG5oayUHdA4/SfLOPOGz0sYySR7jsAobYR
KUjFHVv3xC41oVOLlDBvuv9Tpluo+DtwugCq3EvrZxD2NkBQdbCTBp/yyBJwOemA0iOFAgMBAAEC
gYEAkzPXCC+PUx8gS7m5+E7BPcGLqJP1FLiAtoNRRUjiZY33QkFSBDzmIER/JJvQh5TXr/1WjpeR
ShPw5DhIgv+fQVBh3T4NdO+/49IlYd9oEldZYooTAo80Q2K3cquEB1dLpy9MSbnkafKgX0FcmBpC
0UkfzlAeA8CcE5uNM7M9fiECQQD7h+Ww2E+TvsnpY//Yjf2yuja5W2yk/Qvk+7rHJ0ga2GdFwN2A
/mXKPUekWhnuA7sVUtW3vhok8IPw/6WrLHJZAkEAwG15Y46MvWt5XnA6uFVdkWSLu1alYzt+aHQ4
A1LdYXVf3XtYGwpHmkOa1+/F2srkvNvs36BiNZPS8+wi/XZdDQJAbS/r7F2qBae/fHn1WOsiYxBk
qwfd3K0gGbGQvdz2dvjTs7rqLJHCXA1H6TdXpDOoZbREo/N44+ooTFidcPXlWQJARqTqN76RtMjM
Gfuh0yKj40jCc9hvh2rEEZz5I188nxb0Rt+NjP/NIblIE5aXUKfEKgGjiMXcyEao35wFjH/z0QJB
AJt+5NtcuiZxzzI6C+YVW/gP5O02JzAsdMB8HMIbpqfERdXvNqcYW9e8x0KVrCaMeJElhMWyvESY
egEnkXIdg+M=`,
  ),
}
