import { LIMIT_MEMBERS } from '../limit-members.ts';

/**
 * How the names of an object are checked. `strict`: the API defines them. `folded`: the caller chooses them, and none may
 * differ from another only in case. `free`: data of the caller, in which case counts.
 */
export type ObjectKind = 'strict' | 'folded' | 'free';

/**
 * The member names that request bodies of all dialects and providers give a meaning to. A name that differs from one of
 * them only in case is refused, because readers disagree on it (see `scan-body.ts`).
 */
export interface KnownMember {
  name: string;
  /** How the members inside its value are checked, in the body itself and in objects below. */
  atTop: ObjectKind;
  below: ObjectKind;
  /** Its value is counted or priced: a number must be written as a whole number. */
  isWhole: boolean;
  /** A member of the body itself: there, names that differ only in `_` or `-` are refused too (`maxTokens`). */
  isOfBody: boolean;
}

/** Their objects, also in lists, hold members that the API defines. All other objects hold data of the caller. */
const STRICT =
  'messages content tools functions function tool_choice function_call tool_calls custom allowed_tools stream_options ' +
  'reasoning thinking output_config output_format cache_control response_format format text source image_url input_audio ' +
  'file audio system output summary reasoning_details citations citation annotations fallbacks models provider plugins ' +
  'web_search_options search_parameters context_management edits mcp_servers tool_configuration container image ' +
  'diagnostics prediction thinking_config task_budget usage moderation prompt_cache_options prompt_cache_breakpoint ' +
  'input_image_mask user_location approximate filters ranking_options caller default_config environment ' +
  'tool definition input_file audio_url video_url video document media image_data audio_data video_data inline_data';

/** `json_schema` of a response format is the API's; as a member of the body, some servers take a schema. */
const STRICT_BELOW = 'json_schema';
/** `input` of the body is a conversation; further down it is the input of a tool. */
const STRICT_AT_TOP = 'input';

const WHOLE =
  `${LIMIT_MEMBERS.join(' ')} ` +
  'n best_of budget_tokens max_tool_calls max_uses top_logprobs ' +
  'dimensions max_search_results max_results';

const OF_BODY =
  'model stream temperature top_p top_k min_p top_a typical_p seed stop stop_sequences presence_penalty frequency_penalty ' +
  'repetition_penalty logit_bias logprobs parallel_tool_calls reasoning_effort include_reasoning verbosity modalities ' +
  'service_tier user safety_identifier metadata prompt_cache_key prompt_cache_retention store preset route transforms ' +
  'speed inference_geo trace instructions include truncation background conversation previous_response_id ' +
  'prompt encoding_format input_type prompt_mode safe_prompt random_seed min_tokens ignore_eos echo suffix priority ' +
  'deferred extra_body google cached_content enable_search enable_thinking thinking_budget chat_template_kwargs ' +
  'guided_json messages tools functions tool_choice function_call stream_options reasoning thinking output_config ' +
  'output_format response_format system input models fallbacks provider plugins web_search_options search_parameters ' +
  `context_management mcp_servers ${LIMIT_MEMBERS.join(' ')} ` +
  'n best_of max_tool_calls ' +
  'top_logprobs dimensions reasoning_format client_metadata providers fallback_models draft_model safety_model ' +
  'compound_custom data_sources anthropic_version anthropic_beta fallback_credit_token user_profile_id access_programs';

const PLAIN =
  // Of messages, parts, items and tools.
  'role name refusal tool_call_id tool_use_id id type call_id arguments parameters input_schema strict description ' +
  'uri file_uri image_uri audio_uri video_uri document_url media_url gcs_uri bytes ' +
  'status url detail data media_type file_id file_data file_url filename title is_error signature encrypted_content ' +
  'phase prefix reasoning_content images namespace defer_loading allowed_callers eager_input_streaming input_examples ' +
  // Of settings.
  'include_usage include_obfuscation effort exclude enabled max_price mode schema ttl disable_parallel_tool_use ' +
  'user_id generate_summary only ignore order sort quantizations allow_fallbacks require_parameters data_collection zdr ' +
  'enforce_distillable_text server_url server_label connector_id require_approval authorization authorization_token ' +
  'allowed_tool_names search_context_size allowed_domains blocked_domains vector_store_ids ' +
  'max_num_results size quality background_removal partial_images action trigger keep clear_at_least exclude_tools ' +
  'clear_tool_inputs clear_thinking session_id context provider_options memory_limit preferred_min_throughput ' +
  'preferred_max_latency ' +
  // Ids of what the provider keeps.
  'file_ids document_ids container_id vector_store_id collection_id collection_ids library_id library_ids ' +
  'conversation_id thread_id assistant_id prompt_id connection_id mcp_server_id skill_id voice voice_id image_id audio_id';

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');

/** The one name in `metadata` that the gateway reads. */
export const METADATA_MEMBER = 'user_id';

function listMembers(): KnownMember[] {
  const strict = new Set(words(STRICT));
  const strictBelow = new Set(words(STRICT_BELOW));
  const strictAtTop = new Set(words(STRICT_AT_TOP));
  const whole = new Set(words(WHOLE));
  const ofBody = new Set(words(OF_BODY));
  const names = new Set([...strict, ...strictBelow, ...strictAtTop, ...whole, ...ofBody, ...words(PLAIN)]);
  return [...names].map((name) => ({
    name,
    atTop: strict.has(name) || strictAtTop.has(name) ? 'strict' : name === 'metadata' ? 'folded' : 'free',
    below: strict.has(name) || strictBelow.has(name) ? 'strict' : 'free',
    isWhole: whole.has(name),
    isOfBody: ofBody.has(name),
  }));
}

/** Every name is lower-case ASCII, and no two are the same without their underscores. */
export const KNOWN_MEMBERS: readonly KnownMember[] = listMembers();
