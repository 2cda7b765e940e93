import type { ContractTerms } from './contract.ts';
import { plain } from './member-rule.ts';
import { CHOOSING_MEMBERS, serviceTier, TERM_MEMBERS } from './shared-rules.ts';

/** `POST /v1/embeddings`, whatever the provider (https://platform.openai.com/docs/api-reference/embeddings/create). */
export const EMBEDDINGS_CONTRACT: ContractTerms = {
  members: {
    input: { handling: 'opaque', because: 'it is the text to embed' },
    ...plain('model encoding_format dimensions user safety_identifier input_type truncate task instruction'),
    ...TERM_MEMBERS,
    ...CHOOSING_MEMBERS,
    service_tier: serviceTier('default'),
  },
  query: { 'api-version': /^[\w.-]{1,32}$/ },
};
