import { BASE_TERMS } from '@tollgate/dialects/contract/base-contracts';
import { buildContract, CONTRACT_ENDPOINTS } from '@tollgate/dialects/contract/contract';
import { inspectRequest } from '@tollgate/dialects/contract/inspect-request';
import type {
  CallBound,
  EntryRule,
  EntryRules,
  MemberRule,
  MemberRules,
} from '@tollgate/dialects/contract/member-rule';
import { STORED_ID_MEMBERS, STORED_OBJECTS } from '@tollgate/dialects/contract/stored-ids';
import { KNOWN_MEMBERS } from '@tollgate/dialects/json/request-members';
import { scanBody } from '@tollgate/dialects/json/scan-body';
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { PRESETS } from './presets.ts';

/** Names that contract rules read. */
interface Read {
  names: Set<string>;
  /** Names whose value limits billed calls. */
  limits: Set<string>;
}

function readMembers(read: Read, members: MemberRules): void {
  for (const [name, rule] of Object.entries(members)) {
    // The gateway acts on neither the name nor the value.
    if (rule.handling === 'plain' || rule.handling === 'opaque') continue;
    read.names.add(name);
    readRule(read, rule);
  }
}

function readRule(read: Read, rule: MemberRule): void {
  if (rule.handling === 'object') readMembers(read, rule.members);
  if (rule.handling === 'checked') read.names.add('model');
  if (rule.handling === 'checked' && rule.shape === 'requests') readMembers(read, rule.members);
  if (rule.handling === 'entries') readEntries(read, rule.entries);
  if (rule.handling === 'stored') read.names.add('id');
  if (rule.handling === 'dropped') for (const name of rule.alongside ?? []) read.names.add(name);
  if (rule.handling !== 'priced' || rule.need.kind !== 'tool') return;
  readBound(read, rule.need.bound);
  if (rule.need.offMode !== undefined) read.names.add('mode');
}

function readEntries(read: Read, { by, kinds }: EntryRules): void {
  read.names.add(by);
  for (const rule of Object.values(kinds)) readEntry(read, rule);
}

function readEntry(read: Read, rule: EntryRule): void {
  if (rule.handling === 'group') read.names.add(rule.member);
  if (rule.handling === 'checked') read.names.add('model');
  if (rule.handling !== 'checked' && rule.handling !== 'priced') return;
  readBound(read, rule.bound);
  if (rule.handling === 'checked') return;
  for (const name of ['container', 'environment', 'memory_limit', 'type']) read.names.add(name);
  if (rule.local !== undefined) read.names.add(rule.local.member);
  if (rule.settings !== undefined) read.names.add(rule.settings);
}

function readBound(read: Read, bound: CallBound): void {
  if (bound.by !== 'entry' && bound.by !== 'request') return;
  read.names.add(bound.member);
  read.limits.add(bound.member);
}

function readAll(): Read {
  const read: Read = {
    names: new Set([...Object.keys(STORED_ID_MEMBERS), ...Object.keys(STORED_OBJECTS)]),
    limits: new Set(),
  };
  for (const endpoint of CONTRACT_ENDPOINTS) {
    readMembers(read, BASE_TERMS[endpoint].members);
    for (const { contract } of PRESETS) readMembers(read, contract[endpoint]?.members ?? {});
  }
  return read;
}

/** Names that providers write with capitals. Other spellings are unknown members, which are dropped on charged plans. */
const CAPITALIZED = new Set(['providerOptions', 'cachedContent']);

describe('members read by request contracts', () => {
  const read = readAll();

  it('have one spelling', () => {
    const known = new Set(KNOWN_MEMBERS.map(({ name }) => name));
    expect(read.names.size).toBeGreaterThan(50);
    expect([...read.names].filter((name) => !known.has(name) && !CAPITALIZED.has(name))).toEqual([]);
  });

  it.each([...read.limits])('must be whole numbers if they limit calls: %s', (name) => {
    expect(KNOWN_MEMBERS.find((member) => member.name === name)?.isWhole).toBe(true);
  });

  it.each([
    ['{"search_parameters":{"mode":"on","Max_Search_Results":200}}', 'search_parameters.Max_Search_Results'],
    ['{"search_parameters":{"mode":"on","max_search_results":2e1}}', 'search_parameters.max_search_results'],
    ['{"plugins":[{"id":"web","max_results":3.0}]}', 'plugins.0.max_results'],
  ])('are refused as %s', (body, param) => {
    expect(scanBody(Buffer.from(body))).toMatchObject({ param });
  });

  it.each(['Max_Uses', 'maxUses', 'MAX-USES'])('are refused in tool settings if spelled %s', (name) => {
    const tool = { type: 'openrouter:web_search', parameters: { max_uses: 1, [name]: 100 } };
    const own = PRESETS.find((preset) => preset.name === 'openrouter')?.contract.chat;
    const { error } = inspectRequest({ tools: [tool] }, buildContract('chat', BASE_TERMS.chat, own));
    expect(error).toMatchObject({ code: 'invalid_request', param: `tools.0.parameters.${name}` });
  });
});
