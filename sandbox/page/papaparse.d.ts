/** The global of https://www.papaparse.com, as far as the page uses it. */
declare const Papa: {
  parse(text: string, options: { readonly skipEmptyLines: boolean }): { readonly data: readonly (readonly string[])[] }
}
