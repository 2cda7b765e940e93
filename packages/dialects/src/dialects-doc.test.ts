import { expect, it } from 'vitest';
import { renderDialectsDoc } from './dialects-doc.ts';

it('docs/dialects.md says what the tables of fields say', async () => {
  await expect(renderDialectsDoc()).toMatchFileSnapshot('../../../docs/dialects.md');
});
