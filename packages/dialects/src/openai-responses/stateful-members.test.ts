import { threadTimeMs } from '@tollgate/testing/thread-time';
import { expect, it } from 'vitest';
import { denyStateful } from './stateful-members.ts';

const response = (id: string) => ({ type: 'mcp_approval_response', approval_request_id: id, approve: true });
const request = (id: string) => ({
  type: 'mcp_approval_request',
  id,
  name: 'find',
  server_label: 'l',
  arguments: '{}',
});

it.each<[string, object, string]>([
  [
    'previous_response_id',
    { previous_response_id: 'resp_1' },
    'on the Team page. Or send the whole conversation',
  ],
  ['conversation', { conversation: 'conv_1' }, 'on the Team page. Or send the whole conversation'],
  ['background', { background: true }, 'on the Team page. Or wait for the response, or stream it.'],
  ['prompt', { prompt: { id: 'pmpt_1' } }, 'Send the text of the prompt'],
  ['input.0', { input: [{ type: 'item_reference', id: 'rs_1' }] }, 'Send the whole item instead.'],
])('refuses %s and says what to do instead', (param, body, advice) => {
  const denial = denyStateful({ ...body });
  expect(denial).toMatchObject({ error: { code: 'unsupported_parameter', param } });
  expect(denial?.error.message).toContain(advice);
});

it('checks the approvals of calls in linear time', () => {
  const responses = Array.from({ length: 20_000 }, (_, index) => response(`mcpr_${index}`));
  const input = [...Array.from({ length: 20_000 }, (_, index) => request(`mcpr_${index}`)), ...responses];
  expect(threadTimeMs(() => expect(denyStateful({ input })).toBeNull())).toBeLessThan(2_000);
  const error = { code: 'unsupported_parameter', param: 'input.40000.approval_request_id' };
  expect(denyStateful({ input: [...input, response('mcpr_x')] })).toMatchObject({ ok: false, error });
});
