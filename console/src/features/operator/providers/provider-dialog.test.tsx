import { screen, waitFor } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import { createSelfSigned } from '@tollgate/upstreams/transport/http1/self-signed.fixture';
import { expect, it, vi } from 'vitest';
import { openConsole, show } from '../../../testing/open-console.tsx';
import { trpc } from '../../../lib/trpc.ts';
import { ConnectionNote } from './connection-note.tsx';
import { ProviderDialog } from './provider-dialog.tsx';

const app = openConsole();
const { cert } = createSelfSigned('localhost');

function LoadedDialog({ name, onClose }: { name: string | null; onClose: () => void }) {
  const { data } = useQuery(trpc.operator.providers.list.queryOptions());
  const provider = data?.providers.find((one) => one.name === name) ?? null;
  if (name !== null && provider === null) return null;
  return (
    <>
      {provider !== null && <ConnectionNote provider={provider} />}
      <ProviderDialog provider={provider} onClose={onClose} onCloseAutoFocus={() => undefined} />
    </>
  );
}

function showDialog(name: string | null) {
  const onClose = vi.fn<() => void>();
  return { ...show(<LoadedDialog name={name} onClose={onClose} />), onClose };
}

const type = async (user: ReturnType<typeof showDialog>['user'], label: string, text: string) =>
  user.type(await screen.findByLabelText(label), text);

it('adds a provider with a proxy, certificates and HTTP/2, and keeps what is not changed', async () => {
  const { visitor } = await app.signInAsOperator();
  const find = async () =>
    (await visitor.client.operator.providers.list.query()).providers.find(({ name }) => name === 'behind');
  const added = showDialog(null);
  await added.user.selectOptions(await screen.findByLabelText('Provider type'), 'Custom endpoint');
  await type(added.user, 'Name', 'behind');
  await type(added.user, 'Base URL', 'https://models.example/v1');
  expect(screen.queryByLabelText('Proxy URL')).toBeNull();
  await added.user.selectOptions(screen.getByLabelText('Forward proxy'), 'Proxy URL');
  await type(added.user, 'Proxy URL', 'http://me:secret-word@proxy.example:3128');
  await added.user.click(screen.getByLabelText('CA certificates'));
  await added.user.paste(cert);
  await added.user.click(screen.getByLabelText('Use HTTP/2 if offered'));
  await added.user.click(screen.getByRole('button', { name: 'Add provider' }));
  await waitFor(() => expect(added.onClose).toHaveBeenCalledOnce());
  const stored = { proxy: 'http://***@proxy.example:3128', http2: true };
  expect(await find()).toMatchObject(stored);
  expect((await find())?.caCertificates).toContain('BEGIN CERTIFICATE');
  added.unmount();

  const edited = showDialog('behind');
  await screen.findByText('Proxy http://***@proxy.example:3128 · CA certificates · HTTP/2');
  expect(await screen.findByLabelText('Proxy URL')).toHaveProperty('value', '');
  expect(screen.getByText('Leave empty to keep http://***@proxy.example:3128')).toBeTruthy();
  expect(screen.getByLabelText('CA certificates')).toHaveProperty(
    'value',
    expect.stringContaining('BEGIN CERTIFICATE'),
  );
  await edited.user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(edited.onClose).toHaveBeenCalledOnce());
  expect(await find()).toMatchObject(stored);
  edited.unmount();

  const changed = showDialog('behind');
  await changed.user.selectOptions(await screen.findByLabelText('Forward proxy'), 'No proxy');
  await changed.user.clear(screen.getByLabelText('CA certificates'));
  await changed.user.click(screen.getByLabelText('Use HTTP/2 if offered'));
  await changed.user.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(changed.onClose).toHaveBeenCalledOnce());
  expect(await find()).toMatchObject({ proxy: 'direct', caCertificates: null, http2: false });
  changed.unmount();

  showDialog('behind');
  await screen.findByText('No proxy', { selector: 'div' });
});

it('marks the errors of all fields at once', async () => {
  await app.signInAsOperator();
  const { user, onClose } = showDialog(null);
  await user.selectOptions(await screen.findByLabelText('Provider type'), 'Custom endpoint');
  await user.selectOptions(await screen.findByLabelText('Forward proxy'), 'Proxy URL');
  await type(user, 'Proxy URL', 'socks5://proxy.example');
  await type(user, 'CA certificates', 'nothing');
  await type(user, 'Total timeout', 'ten');
  await user.click(screen.getByRole('button', { name: 'Add header' }));
  await user.click(screen.getByRole('button', { name: 'Add provider' }));
  await screen.findByText(/^Use 1 to 63 lower-case letters/);
  const marked = screen
    .getAllByRole('textbox')
    .filter((input) => input.getAttribute('aria-invalid') === 'true');
  expect(screen.getByText(/^The address must be an http\(s\) URL/)).toBeTruthy();
  expect(screen.getByText(/^The proxy URL must be an http or https URL/)).toBeTruthy();
  expect(screen.getByText(/^The certificates must be in PEM/)).toBeTruthy();
  expect(screen.getByText(/^Enter a whole number from 1 to 86,400,000/)).toBeTruthy();
  expect(screen.getByText('Enter a header name')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
  expect(marked.length).toBeGreaterThan(3);
  expect(onClose).not.toHaveBeenCalled();
});
