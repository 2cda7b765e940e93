import type { ProviderContract } from '@tollgate/dialects/contract/contract';
import { plain } from '@tollgate/dialects/contract/member-rule';
import { SAMPLING_MEMBERS } from './own-server-contracts.ts';

/** https://docs.fireworks.ai/api-reference/post-chatcompletions */
export const FIREWORKS_CONTRACT: ProviderContract = {
  chat: {
    members: plain(`
      ${SAMPLING_MEMBERS}
      mirostat_target mirostat_lr prompt_truncate_len context_length_exceeded_behavior raw_output echo echo_last
      perf_metrics_in_response return_token_ids reasoning_history speculation prompt_cache_isolation_key
      prompt_cache_max_len ignore_eos`),
  },
  embeddings: { members: plain('prompt_template return_logits normalize') },
};

/** https://docs.together.ai/reference/chat-completions-1 */
export const TOGETHER_CONTRACT: ProviderContract = {
  chat: { members: plain('context_length_exceeded_behavior echo compliance') },
};

/** https://api-docs.deepseek.com/api/create-chat-completion */
export const DEEPSEEK_CONTRACT: ProviderContract = { chat: { members: plain('user_id') } };

/** https://learn.microsoft.com/azure/foundry/openai/latest */
export const AZURE_CONTRACT: ProviderContract = { chat: { members: plain('user_security_context') } };
