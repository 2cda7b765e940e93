import { z } from 'zod';

const SETTING = /^([a-z][a-z0-9-]*)=(.+)$/;

/** Parses preset settings of the form `name=value`. */
export const settingOption = z.array(z.string()).transform((lines, context) => {
  const settings: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = SETTING.exec(line.trim()) ?? [];
    if (name === undefined || value === undefined)
      context.addIssue({ code: 'custom', message: 'must look like name=value' });
    else settings[name] = value;
  }
  return settings;
});
