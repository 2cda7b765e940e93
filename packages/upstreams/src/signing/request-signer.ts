import { systemClock, type Clock } from '@tollgate/core/runtime/clock';
import type { HttpProvider } from '../provider.ts';
import type { UpstreamRequest } from '../transport/transport.ts';
import { CredentialRefused } from './credential-refused.ts';
import { GoogleTokens } from './google-tokens.ts';
import { signForAws } from './sign-for-aws.ts';

/** Puts a credential that is no plain key on a request, the moment before it leaves. */
export class RequestSigner {
  readonly #clock: Clock;
  readonly #googleTokens = new GoogleTokens();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /**
   * @returns the request as it must be sent, byte for byte
   * @throws CredentialRefused where the credential will not do, Error where nobody could be asked
   */
  async sign(provider: HttpProvider, request: UpstreamRequest): Promise<UpstreamRequest> {
    const { credential, settings } = provider;
    switch (credential.kind) {
      case 'api-key':
        return request;
      case 'aws': {
        const region = settings['region'];
        if (region === undefined)
          throw new CredentialRefused('A request to Amazon needs a region to be signed for');
        return signForAws(request, credential, { region, date: new Date(this.#clock.nowMs()) });
      }
      case 'google': {
        const token = await this.#googleTokens.get(credential);
        return { ...request, headers: [...request.headers, 'authorization', `Bearer ${token}`] };
      }
    }
  }
}
