import { expect, it, vi } from 'vitest';
import { isMissing } from './missing-tool.ts';

it('a missing tool is named in one line with the tests that are skipped', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(isMissing('nginx', true, 'a reverse proxy')).toBe(false);
  expect(write).not.toHaveBeenCalled();
  expect(isMissing('nginx', false, 'a reverse proxy')).toBe(true);
  expect(write.mock.calls).toEqual([['Skipped, because nginx is missing: a reverse proxy\n']]);
});
