const REDACTED = '[redacted]';

/** The word in front of a name. */
const OWNER = String.raw`\b(?:organi[sz]ations?|orgs?|teams?|projects?|workspaces?|tenants?)`;
const LABEL = String.raw`(?: (?:id|name|named|called|slug))?`;

/** What follows `project`, `project id: ` and the like. All of a run is taken, so that it is searched for a digit once. */
const PROJECT_VALUE =
  /(?<=[\s:='"`(])(?=[\w:.-]{4})(?<=\bprojects?(?:[ _-]?(?:id|number|name))?[\s:='"`(]{1,4})[\w:.-]+/gi;
/** `organization "Acme Corp"`, also with escaped quotes. */
const QUOTED_NAME = new RegExp(
  String.raw`(?<owner>${OWNER}${LABEL}:? )(?<quote>\\{0,8}["'${'`'}]|[\u201C\u2018])[^"'${'`'}\u201C\u201D\u2018\u2019\\\n]{1,100}(?=\\{0,8}["'${'`'}\u201D\u2019])`,
  'gi',
);
/** `organization acme-corp-x1y2`, `team 8f3a`. */
const BARE_NAME = new RegExp(String.raw`(?<owner>${OWNER}${LABEL}:? )(?<name>[\w-]{3,})(?![\w-])`, 'gi');

const DIGIT = /\d/;
/** Words with a hyphen that follow such a word in ordinary sentences: `organization-wide` is none, as it has no blank. */
const ORDINARY_WORD =
  /^(?:auto|cross|fine|first|full|high|in|long|low|model|multi|non|off|on|one|opt|over|pay|per|post|pre|rate|re|read|real|role|second|self|service|short|single|sub|third|tier|time|token|top|two|un|up|usage|user|well|write|zero)-|-(?:based|level|only|owned|scoped|specific|wide)$/i;

/**
 * Removes the names of the operator's organizations, teams, projects and workspaces at a provider from its text. A word
 * without quotes is a name only if it has a hyphen, an underscore or a digit: `organization must be verified` is kept.
 */
export function redactAccountNames(text: string): string {
  return text
    .replace(PROJECT_VALUE, (value) => (DIGIT.test(value) ? REDACTED : value))
    .replace(QUOTED_NAME, `$<owner>$<quote>${REDACTED}`)
    .replace(BARE_NAME, (found, owner: string, name: string) =>
      isName(name) ? `${owner}${REDACTED}` : found,
    );
}

function isName(word: string): boolean {
  if (ORDINARY_WORD.test(word)) return false;
  // A number is a limit rather than a name.
  return /[a-z]/i.test(word) && /[\d_-]/.test(word);
}
