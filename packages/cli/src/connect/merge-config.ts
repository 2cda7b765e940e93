import { parse as parseToml, patch as patchToml } from '@decimalturn/toml-patch';
import type { ConfigFile } from '@tollgate/core/clients/client';
import { applyEdits, modify, parse as parseJson, type ParseError } from 'jsonc-parser';
import { parseDocument } from 'yaml';
import { findChanges, findRemovals, isSettings, type Change } from './find-changes.ts';

const INDENT = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

interface Format {
  /** @throws Error if the text is invalid */
  parse: (text: string) => unknown;
  /** Keeps comments, order and everything that the changes do not name. */
  apply: (text: string, changes: readonly Change[]) => string;
}

const FORMATS: Readonly<Record<ConfigFile['format'], Format>> = {
  json: {
    parse: parseJsonc,
    apply: (text, changes) =>
      changes.reduce(
        (edited, { path, value }) => applyEdits(edited, modify(edited, [...path], value, INDENT)),
        text,
      ),
  },
  toml: {
    parse: (text) => structuredClone(parseToml(text)),
    apply(text, changes) {
      const settings: unknown = structuredClone(parseToml(text));
      for (const { path, value } of changes) setIn(settings, path, value);
      return patchToml(text, settings);
    },
  },
  yaml: {
    parse(text) {
      const document = parseDocument(text);
      const [error] = document.errors;
      if (error !== undefined) throw error;
      return document.toJS();
    },
    apply(text, changes) {
      const document = parseDocument(text);
      for (const { path, value } of changes)
        if (value === undefined) document.deleteIn(path);
        else document.setIn(path, document.createNode(value));
      return document.toString({ lineWidth: 0 });
    },
  },
};

/**
 * Adds the settings of a client to the text of its file, and removes the settings that they replace. Comments and others
 * stay.
 * @param existing null or empty: the file does not exist yet
 * @returns the same text if nothing has to change
 * @throws SettingConflict; Error if the existing text is invalid
 */
export function mergeConfig(
  { format, text, replaces = [] }: Pick<ConfigFile, 'format' | 'text' | 'replaces'>,
  existing: string | null,
): string {
  if (existing === null || existing.trim() === '') return `${text}\n`;
  const { parse, apply } = FORMATS[format];
  const settings = parse(existing);
  if (!isSettings(settings)) throw new Error('it is not a list of named settings');
  const added = parse(text);
  if (!isSettings(added)) throw new Error('the configuration of the client is invalid');
  const changes = [...findRemovals(settings, replaces), ...findChanges(settings, added)];
  return changes.length === 0 ? existing : apply(existing, changes);
}

function parseJsonc(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parseJson(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) throw new Error(`invalid JSON at character ${error.offset}`);
  return value;
}

function setIn(target: unknown, path: Change['path'], value: unknown): void {
  const [last] = path.slice(-1);
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((at, name) => (isSettings(at) ? at[name] : undefined), target);
  if (!isSettings(parent) || last === undefined) return;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}
