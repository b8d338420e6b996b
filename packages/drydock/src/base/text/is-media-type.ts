const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *;[ -~]*)?$/;
const MAX_CHARS = 200;

/** Whether it is a media type such as `text/plain; charset=utf-8`, which can be sent in a header. */
export function isMediaType(text: string): boolean {
  return text.length <= MAX_CHARS && MEDIA_TYPE.test(text);
}
