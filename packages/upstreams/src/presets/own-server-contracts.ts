import type { ProviderContract } from '@tollgate/dialects/contract/contract';
import { opaque, plain } from '@tollgate/dialects/contract/member-rule';

/** Sampling members of servers of open models; none of them chooses a model. */
export const SAMPLING_MEMBERS = `
  min_tokens typical_p tfs_z mirostat mirostat_tau mirostat_eta ignore_eos stop_token_ids bad_words
  include_stop_str_in_output skip_special_tokens spaces_between_special_tokens length_penalty early_stopping
  use_beam_search no_repeat_ngram_size xtc_threshold xtc_probability dry_multiplier dry_base dry_allowed_length`;

/** https://docs.vllm.ai/en/latest/serving/openai_compatible_server/ */
export const VLLM_CONTRACT: ProviderContract = {
  chat: {
    members: {
      ...opaque('documents', "it contains the caller's texts"),
      ...opaque('guided_json structured_outputs structural_tag', "it contains the caller's schema"),
      ...plain(`
      ${SAMPLING_MEMBERS}
      truncate_prompt_tokens prompt_logprobs allowed_token_ids echo add_generation_prompt continue_final_message
      add_special_tokens chat_template mm_processor_kwargs guided_regex guided_choice
      guided_grammar guided_decoding_backend guided_whitespace_pattern priority
      request_id logits_processors return_tokens_as_token_ids return_token_ids cache_salt kv_transfer_params
      vllm_xargs`),
    },
  },
  embeddings: { members: plain('truncate_prompt_tokens add_special_tokens priority request_id normalize') },
};

/** https://docs.ollama.com/api/openai-compatibility */
export const OLLAMA_CONTRACT: ProviderContract = {
  chat: {
    members: {
      ...plain(`${SAMPLING_MEMBERS} think options keep_alive`),
      ...opaque('format', "it contains the caller's schema"),
    },
  },
  embeddings: { members: plain('options keep_alive') },
};
