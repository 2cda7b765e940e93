import { asObject, type JsonObject } from '../../json/parse-object.ts';
import { isWebUrl } from '../data-url.ts';
import { mapList } from './map-list.ts';
import type { ProviderQuirks } from './provider-quirks.ts';
import type { Quirk, QuirkContext } from './quirk.ts';

export const developerRole: Quirk<ProviderQuirks['developerRole']> = {
  about: 'if `none`, developer messages are sent as system messages',
  entries: {
    marks: (role) => (role === 'none' ? ['"developer"'] : []),
    fitMessage: (message, role) =>
      role === 'none' && message['role'] === 'developer' ? { ...message, role: 'system' } : message,
  },
};

export const takesCacheControl: Quirk<boolean> = {
  about: 'if false, cache breakpoints are dropped',
  body: {
    members: (isTaken) => (isTaken ? [] : ['cache_control']),
    fit(body, isTaken, { report }) {
      if (isTaken || body['cache_control'] === undefined) return;
      if (body['cache_control'] !== null) report.drop('cache_control');
      delete body['cache_control'];
    },
  },
  entries: {
    marks: (isTaken) => (isTaken ? [] : ['"cache_control"', '"prompt_cache_breakpoint"']),
    fitMessage(message, isTaken, context) {
      if (isTaken) return message;
      const strip = (object: JsonObject) => withoutBreakpoint(object, context);
      return mapList(mapList(strip(message), 'content', strip), 'tool_calls', strip);
    },
    fitTool(tool, isTaken, context) {
      if (isTaken) return tool;
      const given = asObject(tool['function']);
      const definition = given && withoutBreakpoint(given, context);
      return withoutBreakpoint(definition === given ? tool : { ...tool, function: definition }, context);
    },
  },
};

function withoutBreakpoint(object: JsonObject, { report }: QuirkContext): JsonObject {
  if (object['cache_control'] === undefined && object['prompt_cache_breakpoint'] === undefined) return object;
  const { cache_control: control, prompt_cache_breakpoint: breakpoint, ...rest } = object;
  if ((control ?? breakpoint ?? null) !== null) report.drop('cache_control');
  return rest;
}

export const takesFileUrls: Quirk<boolean> = {
  about: 'if false, a document with a URL is refused',
  entries: {
    marks: (isTaken) => (isTaken ? [] : ['"file_data"']),
    fitMessage(message, isTaken, { at, report }) {
      const { content } = message;
      if (isTaken || !Array.isArray(content)) return message;
      for (const [index, part] of content.entries()) {
        const data = asObject(asObject(part)?.['file'])?.['file_data'];
        if (typeof data === 'string' && isWebUrl(data))
          report.refuse(`${at}.content.${index}`, 'a document by its URL');
      }
      return message;
    },
  },
};

export const takesTextLists: Quirk<boolean> = {
  about: 'if false, content that is a list of text parts is sent as one string',
  entries: {
    marks: (isTaken) => (isTaken ? [] : ['"text"']),
    fitMessage(message, isTaken) {
      const { content } = message;
      if (isTaken || !Array.isArray(content) || content.length === 0) return message;
      const texts = content.map(getText).filter((text) => text !== null);
      return texts.length < content.length ? message : { ...message, content: texts.join('\n\n') };
    },
  },
};

const TEXT_TYPES: readonly unknown[] = ['text', 'input_text', 'output_text'];

/** @returns null if the part is not only text */
function getText(given: unknown): string | null {
  const part = asObject(given);
  const text = part !== null && TEXT_TYPES.includes(part['type']) ? part['text'] : null;
  return typeof text === 'string' ? text : null;
}
