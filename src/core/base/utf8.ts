// UTF-8 of texts that are written: a long one is encoded once.

/** The last text whose bytes were noted. Comparing it with another one costs nothing where they are one and the same. */
let noted: { text: string; bytes: Buffer } = { text: '', bytes: Buffer.alloc(0) };

/** Notes the UTF-8 of a well-formed text, which is likely to be asked for next. Neither may be changed. */
export function noteUtf8(text: string, bytes: Buffer): void {
  noted = { text, bytes };
}

/** The UTF-8 of a text; undefined where it holds half of a surrogate pair. It must not be changed. */
export function encodeUtf8(text: string): Buffer | undefined {
  if (text === noted.text) return noted.bytes;
  return text.isWellFormed() ? Buffer.from(text) : undefined;
}
