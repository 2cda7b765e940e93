import type { ProviderContract } from '@tollgate/dialects/contract/contract';
import { plain } from '@tollgate/dialects/contract/member-rule';
import { serviceTier } from '@tollgate/dialects/contract/shared-rules';

const NOT_COUNTED = { handling: 'restricted', because: "Groq's usage does not count its calls" } as const;

/** https://console.groq.com/docs/api-reference#chat-create */
export const GROQ_CONTRACT: ProviderContract = {
  chat: {
    members: {
      ...plain('search_settings include_domains exclude_domains citation_options disable_tool_validation'),
      documents: { handling: 'opaque', because: "it contains the caller's texts" },
      service_tier: serviceTier('on_demand'),
      tools: {
        handling: 'entries',
        entries: {
          by: 'type',
          absent: 'function',
          kinds: {
            browser_search: NOT_COUNTED,
            visit_website: NOT_COUNTED,
          },
        },
      },
    },
  },
};
