import { z } from 'zod';

const ENDPOINT = /\/(chat\/completions|messages|responses|models)$/;

/** The address of a provider as typed; without a slash at the end. */
export const baseUrlOption = z.string().transform((text, context) => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const url = URL.parse(text.trim());
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return refuse('must be an http(s) URL such as https://api.openai.com/v1');
  if (url.search !== '' || url.hash !== '') return refuse('must have no query and no fragment');
  if (url.username !== '' || url.password !== '')
    return refuse('must carry no credential: use --api-key or --header');
  const address = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  const endpoint = ENDPOINT.exec(address);
  if (endpoint !== null)
    return refuse(`must be what comes before the endpoint: ${address.slice(0, endpoint.index)}`);
  return address;
});
