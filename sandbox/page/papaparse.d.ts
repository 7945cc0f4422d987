/** The global of https://www.papaparse.com, as far as the page uses it. */
// biome-ignore lint/style/useNamingConvention: the name that the library gives itself
declare const Papa: {
  parse(
    text: string,
    options: { readonly skipEmptyLines: boolean },
  ): { readonly data: readonly (readonly string[])[] }
}
