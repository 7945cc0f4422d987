declare module 'papaparse' {
  function parse(
    text: string,
    options: { readonly skipEmptyLines: boolean },
  ): { readonly data: readonly (readonly string[])[] }
  export default { parse }
}
