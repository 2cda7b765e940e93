import { describe, expect, it } from 'vitest';
import { findForbiddenCause, listQuotes, withoutQuotes } from './forbidden-cause.ts';

describe('the cause of a 403', () => {
  it.each([
    ['Your API key does not have permission to use the specified resource.', null],
    ['You have insufficient permissions for this operation. Missing scopes: model.request.', null],
    ['Project `proj_1` does not have access to model `gpt-5`.', 'model_not_found'],
    ['Country, region, or territory not supported', 'unsupported_country_region_territory'],
    ['Your organization must be verified to use this model.', null],
    ['Your organization was disabled for violating the usage policies.', null],
    ["You don't have access to the model with the specified model ID.", 'AccessDeniedException'],
    ['User: x is not authorized to perform: bedrock:InvokeModel on resource: y', null],
    ['The security token included in the request is invalid.', null],
    ["Permission 'aiplatform.endpoints.predict' denied on resource 'x' (or it may not exist).", null],
    ['This API method requires billing to be enabled.', null],
    ["Your newly created team doesn't have any credits yet.", 'permission-denied'],
    ['Access denied due to Virtual Network/Firewall rules.', '403'],
  ])('is the account of the operator: %s', (message, code) => {
    expect(findForbiddenCause({ message, code })).toBe('account');
  });

  it.each([
    ['Your input was flagged for "harassment" by moderation.', null],
    ['Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO', 'permission-denied'],
    ['Refused', 'content_policy_violation'],
    ['The prompt "my API key has expired" is not allowed.', null],
    ['Input tokens exceed the context length.', null],
  ])('is the request: %s', (message, code) => {
    expect(findForbiddenCause({ message, code })).toBe('request');
  });

  it.each(['Request not allowed', 'Forbidden', 'Cannot answer "what does an expired API key cost"'])(
    'is unknown: %s',
    (message) => {
      expect(findForbiddenCause({ message, code: null })).toBe('unknown');
    },
  );
});

describe('quotes in a message', () => {
  it('are left out, whatever their marks', () => {
    const message = `a "b" c 'd' e \`f\` g “h” i ‘j’ k «l» m`;
    expect(withoutQuotes(message).replaceAll(/ +/g, ' ')).toBe('a c e g i k m');
    expect(listQuotes(message)).toEqual(['"b"', "'d'", '`f`', '“h”', '‘j’', '«l»']);
  });

  it.each(['“', '‘', '«', '"', "'", '`', ' "', " '"])('are found in little time in many of %s', (mark) => {
    const before = process.threadCpuUsage();
    withoutQuotes(mark.repeat(20_000));
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(200);
  });
});
