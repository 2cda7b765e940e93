/** The parts of its usage that each endpoint bills. A new endpoint needs an entry: its parser has the same names. */
const BILLED_PARTS = {
  '/v1/chat/completions': 'input and output',
  '/v1/messages': 'input and output',
  '/v1/messages/count_tokens': 'nothing',
  '/v1/responses': 'input and output',
  '/v1/responses/input_tokens': 'nothing',
  '/v1/embeddings': 'input',
} as const;

/** The path of an endpoint that providers answer. */
export type EndpointPath = keyof typeof BILLED_PARTS;
type BilledParts = (typeof BILLED_PARTS)[EndpointPath];

const BY_PATH = new Map<string, BilledParts>(Object.entries(BILLED_PARTS));

/** @param path also one that was stored by another version */
export function getBilledParts(path: string): BilledParts {
  return BY_PATH.get(path) ?? 'input and output';
}

/** False: responses of the endpoint have no output tokens. */
export function hasOutput(endpoint: EndpointPath): boolean {
  return BILLED_PARTS[endpoint] === 'input and output';
}
