import type { AssistantPart } from '@tollgate/core/completion/content';
import type { Reasoning } from '@tollgate/core/completion/request';
import { FieldReader } from '../../json/field-reader.ts';
import { asObject, type JsonObject } from '../../json/parse-object.ts';
import { decodeAssistantParts } from '../decode-assistant.ts';
import { decodeReasoning } from '../decode-settings.ts';
import { encodeRequestDetails, joinReasoning } from '../encode-assistant.ts';
import { findLeastEffort } from '../../model-rules/find-least-effort.ts';
import { getEffort, encodeReasoningObject } from '../encode-settings.ts';
import { SIGNATURE_START, isReasoning } from '../../thinking-signature.ts';
import type { ProviderQuirks } from './provider-quirks.ts';
import type { Quirk, QuirkContext } from './quirk.ts';

type Member = ProviderQuirks['reasoningMember'];

const SETTINGS = ['reasoning_effort', 'reasoning', 'thinking'] as const;

export const reasoningMember: Quirk<Member> = {
  about: 'the reasoning setting is sent in the member that the provider takes; a budget becomes an effort',
  body: {
    members: () => SETTINGS,
    fit(body, member, context) {
      if (!hasOtherSetting(body, member)) return;
      const reader = new FieldReader();
      const reasoning = decodeReasoning(body, reader);
      // The provider itself refuses an invalid setting.
      if (reader.error !== null) return;
      const object = asObject(body['reasoning']);
      for (const name of SETTINGS) delete body[name];
      if (reasoning !== null) Object.assign(body, writeSetting(reasoning, member, context));
      if (member === 'reasoning' && object !== null) body[member] = mergeSetting(object, body[member]);
    },
  },
};

/** True if a request has a setting that the provider does not take. */
function hasOtherSetting(body: JsonObject, member: Member): boolean {
  const has = (name: (typeof SETTINGS)[number]) => body[name] !== undefined;
  switch (member) {
    case 'reasoning_effort':
      return has('reasoning') || has('thinking');
    case 'reasoning':
      return has('reasoning_effort') || has('thinking');
    case 'reasoning.enabled': {
      const isSwitch = Object.keys(asObject(body['reasoning']) ?? {}).every((name) => name === 'enabled');
      return has('thinking') || !isSwitch;
    }
    case 'thinking':
      return has('reasoning');
    case 'none':
      return SETTINGS.some(has);
  }
}

function writeSetting(reasoning: Reasoning, member: Member, { model, report }: QuirkContext): JsonObject {
  if (member === 'reasoning') return { reasoning: encodeReasoningObject(reasoning) };
  const effort = member === 'none' ? null : getEffort(reasoning);
  if (effort !== null) return { reasoning_effort: effort };
  const isOn = reasoning.type !== 'off';
  switch (member) {
    case 'reasoning.enabled':
      return { reasoning: { enabled: isOn } };
    case 'thinking':
      return { thinking: { type: isOn ? 'enabled' : 'disabled' } };
    case 'reasoning_effort': {
      if (isOn) return {};
      const least = findLeastEffort(model);
      if (!least.isOff) report.drop('thinking');
      return least.effort === null ? {} : { reasoning_effort: least.effort };
    }
    case 'none':
      report.drop('thinking');
      return {};
  }
}

/** The object with another setting, and its other members as they are: `exclude`. */
function mergeSetting(object: JsonObject, setting: unknown): JsonObject {
  const { effort: _effort, max_tokens: _budget, enabled: _switch, ...rest } = object;
  return { ...rest, ...asObject(setting) };
}

type Field = ProviderQuirks['reasoningField'];

const FIELDS = ['reasoning_details', 'reasoning_content', 'reasoning'] as const;

/** The members that a provider takes in an assistant's message. */
const TAKEN_FIELDS: Record<Field, readonly string[]> = {
  reasoning_content: ['reasoning_content'],
  reasoning: ['reasoning'],
  reasoning_details: ['reasoning_details', 'reasoning'],
  content: [],
  none: [],
};

export const reasoningField: Quirk<Field> = {
  about: 'reasoning of earlier turns is sent where the provider takes it, or dropped',
  entries: {
    marks: (field) => [
      ...otherFields(field).map((name) => `"${name}"`),
      SIGNATURE_START,
      ...(field === 'content' ? [] : ['"thinking"']),
    ],
    fitMessage(message, field, { report }) {
      if (message['role'] !== 'assistant' || !hasOtherReasoning(message, field)) return message;
      const reader = new FieldReader();
      const ids = { missing: () => '', legacy: () => '' };
      const reasoning = decodeAssistantParts(message, { at: '', reader, ids });
      // The provider itself refuses an invalid message.
      if (reader.error !== null) return message;
      const { reasoning_details: _details, reasoning_content: _content, reasoning: _text, ...rest } = message;
      if (field === 'none' && reasoning.some(isReasoning)) report.drop('thinking');
      return { ...rest, ...writeReasoning(reasoning, field, withoutThinking(rest)) };
    },
  },
};

const otherFields = (field: Field) => FIELDS.filter((name) => !TAKEN_FIELDS[field].includes(name));

function hasOtherReasoning(message: JsonObject, field: Field): boolean {
  if (otherFields(field).some((name) => message[name] !== undefined)) return true;
  if (JSON.stringify(message['reasoning_details'] ?? null).includes(SIGNATURE_START)) return true;
  return field !== 'content' && getParts(message).some(isThinkingPart);
}

/** @param content of the message without its reasoning */
function writeReasoning(parts: readonly AssistantPart[], field: Field, content: JsonObject): JsonObject {
  const reasoning = parts.filter(isReasoning);
  const text = joinReasoning(reasoning);
  switch (field) {
    case 'none':
      return content;
    case 'reasoning_content':
    case 'reasoning':
      return text === '' ? content : { ...content, [field]: text };
    case 'reasoning_details':
      return reasoning.length === 0 ? content : { ...content, ...writeDetails(parts) };
    case 'content': {
      if (text === '') return content;
      const thinking = { type: 'thinking', thinking: [{ type: 'text', text }] };
      return { content: [thinking, ...getParts(content)] };
    }
  }
}

function writeDetails(parts: readonly AssistantPart[]): JsonObject {
  const details = encodeRequestDetails(parts);
  return details.length === 0 ? {} : { reasoning_details: details };
}

/** The content of a message without Mistral's parts of reasoning. */
function withoutThinking(message: JsonObject): JsonObject {
  const { content, tool_calls: calls } = message;
  if (!Array.isArray(content)) return 'content' in message ? { content } : {};
  const kept = content.filter((part) => !isThinkingPart(part));
  if (kept.length > 0) return { content: kept };
  return { content: Array.isArray(calls) && calls.length > 0 ? null : '' };
}

function getParts({ content }: JsonObject): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : [];
}

const isThinkingPart = (part: unknown): boolean => asObject(part)?.['type'] === 'thinking';
