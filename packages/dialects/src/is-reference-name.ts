/** Words at the end of a name that is an address, or of a member that holds packed data. */
const ADDRESSES = new Set('url urls uri uris href hrefs path file files container data bytes'.split(' '));
const REFERENCES = new Set('ref refs reference references handle handles'.split(' '));
const IDS = new Set('id ids uid uids uuid uuids guid guids'.split(' '));
/** What an id may name that is part of the conversation itself: `call_id`, `tool_use_id`, `parentMessageId`. */
const CONVERSED = new Set(
  'call use item message msg request turn event step trace span agent user block choice'.split(' '),
);
const CONTENT =
  'file|image|video|audio|voice|media|document|doc|asset|attachment|upload|blob|object|content|resource|container|store|artifact|clip';
const CONTENT_NAME = new RegExp(`^(?:${CONTENT})s?$`);
/** Names without a border between their words: `fileid`, `imageurl`. */
const UNDIVIDED = new RegExp(`^(?:${CONTENT})(?:ids?|refs?|handles?)$|.(?:ur[il]s?|href)$`);
/** The end of every name that may be a reference. Other names are not divided: a body may have thousands. */
const MAY_REFER =
  /(?:ur[il]s?|hrefs?|path|files?|container|data|bytes|refs?|references?|handles?|ids?)[^\p{L}\d]*$/iu;
/** The name of an address of JSON Schema; one within the schema is no other content. */
const SCHEMA_REFERENCE = '$ref';

/**
 * True if a member of this name may refer to content that a provider stores or fetches, or hold packed data: `videoId`,
 * `asset_ref`, `image_urls`. An id that is not known to name a part of the conversation counts.
 * @param owner the name of the object that has the member: `id` in `video` is a reference; null: none
 */
export function isReferenceName(name: string, owner: string | null): boolean {
  if (name === SCHEMA_REFERENCE || !MAY_REFER.test(name)) return false;
  const words = splitWords(name);
  const last = words.at(-1) ?? '';
  if (ADDRESSES.has(last) || REFERENCES.has(last) || UNDIVIDED.test(last)) return true;
  if (!IDS.has(last)) return false;
  const named = words.at(-2);
  if (named !== undefined) return !CONVERSED.has(named);
  return owner !== null && CONTENT_NAME.test(splitWords(owner).at(-1) ?? '');
}

/** The words of a snake, kebab or camel name in lower case: `imageURLs` is `image`, `urls`. */
function splitWords(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z]{2})/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '');
}
