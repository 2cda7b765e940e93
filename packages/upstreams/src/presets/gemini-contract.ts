import type { ProviderContract } from '@tollgate/dialects/contract/contract';
import { objectRule, plain } from '@tollgate/dialects/contract/member-rule';

/** https://ai.google.dev/gemini-api/docs/openai */
export const GEMINI_CONTRACT: ProviderContract = {
  chat: { members: { ...plain('google'), extra_body: objectRule('google') } },
};
