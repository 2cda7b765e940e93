import { BASE_CONTRACTS } from '@tollgate/dialects/contract/base-contracts';
import { classifyBody } from '@tollgate/dialects/contract/request-members';
import { expect, it } from 'vitest';
import { judgeEncoded, type EncodedTerms } from './encoded-terms.ts';

const ADMITTED: EncodedTerms = {
  needs: [],
  policy: { forwardsUnknown: false, chargesMoney: true, maxToolCalls: 10 },
  hasUncountedTools: false,
  hasCompaction: false,
};
const MCP = { tools: [{ type: 'mcp', server_label: 'l', server_url: 'https://mcp.example' }] };
const COMPACTION = { context_management: [{ type: 'compaction', compact_threshold: 1_000 }] };

it.each([
  ['tools', MCP, { hasUncountedTools: true }],
  ['context_management', COMPACTION, { hasCompaction: true }],
])('sends %s in an encoded request only if it was admitted with them', (param, body, terms) => {
  const judge = (admitted: EncodedTerms) =>
    judgeEncoded(classifyBody(body), BASE_CONTRACTS.responses, admitted);
  expect(judge(ADMITTED)).toMatchObject({ ok: false, error: { code: 'unsupported_parameter', param } });
  expect(judge({ ...ADMITTED, ...terms })).toMatchObject({ ok: true });
});
