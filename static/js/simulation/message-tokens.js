const BYTES = 4;
const MOST = 512;

/** Output tokens that a visitor's request asks for. */
export const ANSWER = 24;

/** Prompt tokens of a message of so many bytes in UTF-8: about four bytes a token, 1 to 512. */
export function promptTokens(bytes) {
  return Math.max(1, Math.min(MOST, Math.ceil(bytes / BYTES)));
}
