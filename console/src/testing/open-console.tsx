import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, render, type RenderResult } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { StrictMode, type ReactNode } from 'react';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createTestProvider } from '../../server/payments/test-provider.ts';
import { createTestConsole, type TestConsole } from '../../server/testing/console-fixture.ts';
import { signUpOperator, signUpVerified, type SignedIn } from '../../server/testing/people.ts';
import type { Visitor } from '../../server/testing/visitor.ts';
import { TooltipProvider } from '../components/ui/tooltip.tsx';
import { queryClient } from '../lib/query-client.ts';
// The declaration of the shared database.
import '@tollgate/testing/global-setup';

// The server and its database may be slow on a busy machine.
configure({ asyncUtilTimeout: 10_000 });

/** Renders components as the app does. */
export function show(content: ReactNode): RenderResult & { user: UserEvent } {
  const user = userEvent.setup({ delay: null });
  const shown = render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider>{content}</TooltipProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
  return { ...shown, user };
}

/** Removes what a test has shown and loaded. */
export function cleanUpAfterEach(): void {
  afterEach(() => {
    cleanup();
    queryClient.clear();
  });
}

export interface OpenConsole {
  site: TestConsole;
  signIn(): Promise<SignedIn>;
  signInAsOperator(): Promise<SignedIn>;
}

/** The console's real server for the tests of a file, with test payments. Components reach it as the user who signed in last. */
export function openConsole(): OpenConsole {
  cleanUpAfterEach();
  let site: TestConsole | undefined;
  const opened = () => {
    if (site === undefined) throw new Error('The console is open only during tests.');
    return site;
  };
  const fetchOfNode = globalThis.fetch;
  const browse = (visitor: Visitor) => {
    globalThis.fetch = async (input, init) => {
      const request = new Request(
        new URL(input instanceof Request ? input.url : input, location.origin),
        init,
      );
      request.headers.set('origin', location.origin);
      const cookies = [...visitor.cookies].map(([name, value]) => `${name}=${value}`);
      request.headers.set('cookie', cookies.join('; '));
      return opened().fetch(request, '203.0.113.1');
    };
  };
  beforeAll(async () => {
    site = await createTestConsole({}, (options) =>
      createTestProvider({ ...options, webhookSecret: 'whsec_test' }),
    );
  });
  afterAll(async () => {
    globalThis.fetch = fetchOfNode;
    await opened()[Symbol.asyncDispose]();
  });
  const enter = async (person: Promise<SignedIn>) => {
    const signedIn = await person;
    // Opens the tools of a local installation, such as the test payment page.
    await signedIn.visitor.get('/dev/open?token=local-tools-token');
    browse(signedIn.visitor);
    return signedIn;
  };
  return {
    get site() {
      return opened();
    },
    signIn: async () => enter(signUpVerified(opened())),
    signInAsOperator: async () => enter(signUpOperator(opened())),
  };
}
