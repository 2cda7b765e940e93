import type { ProviderContract } from '@tollgate/dialects/contract/contract';
import { plain } from '@tollgate/dialects/contract/member-rule';

/** https://docs.mistral.ai/api */
export const MISTRAL_CONTRACT: ProviderContract = {
  chat: { members: plain('random_seed safe_prompt prompt_mode') },
  embeddings: { members: plain('output_dimension output_dtype metadata') },
};
