import type { ProviderContract } from '@tollgate/dialects/contract/contract';
import { plain } from '@tollgate/dialects/contract/member-rule';
import { CALLERS_DATA } from '@tollgate/dialects/contract/shared-rules';

const { metadata } = CALLERS_DATA;

/** https://docs.mistral.ai/api */
export const MISTRAL_CONTRACT: ProviderContract = {
  chat: { members: plain('random_seed safe_prompt prompt_mode') },
  embeddings: {
    members: { ...plain('output_dimension output_dtype'), ...(metadata && { metadata }) },
  },
};
