import { expect, it } from 'vitest';
import { emptyProviderForm, findProviderField, getHeaders } from './provider-form.ts';

it('keeps a stored header that is left empty', () => {
  const headers = [
    { name: 'x-team', value: '', isStored: true },
    { name: 'x-new', value: '', isStored: false },
  ];
  expect(getHeaders({ ...emptyProviderForm(null), headers })).toEqual([
    { name: 'x-team', value: null },
    { name: 'x-new', value: '' },
  ]);
});

it.each([
  ['name', 'name'],
  ['terms.baseUrl', 'baseUrl'],
  ['terms.settings', 'settings'],
  ['terms.totalTimeoutMs', 'totalTimeoutMs'],
  ['headers.1.name', 'headers.1.name'],
  ['headers.0.value', 'headers.0.value'],
  ['headers', 'root.headers'],
  ['connection.proxyUrl', 'connection.proxyUrl'],
  ['connection.caCertificates', 'connection.caCertificates'],
  ['preset', null],
])('finds the field of %s', (path, field) => {
  expect(findProviderField(path)).toBe(field);
});
