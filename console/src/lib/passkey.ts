import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { useSession } from './session.ts';

/** The browser's error if the user closed the passkey prompt or waited too long. */
const DECLINED = new Set(['NotAllowedError', 'AbortError']);

const loadLibrary = () => import('@simplewebauthn/browser');

/** Whether passkeys work in this window: in a browser that has them, at the address that they belong to. */
export function usePasskeySupport(): { isSupported: boolean; origin: string | null } {
  const { passkeyOrigin: origin } = useSession().installation;
  return { isSupported: 'credentials' in navigator && origin === location.origin, origin };
}

/** Lets the browser make a passkey. @returns null if the person declined */
export async function makePasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<RegistrationResponseJSON | null> {
  const { startRegistration } = await loadLibrary();
  return orDeclined(startRegistration({ optionsJSON: options }));
}

/** Asks the person for a passkey. @returns null if they declined, or another question took this one's place */
export async function askForPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON | null> {
  const { startAuthentication } = await loadLibrary();
  return orDeclined(startAuthentication({ optionsJSON: options }));
}

/** Whether the browser offers passkeys among what it fills in automatically. */
export async function offersPasskeysInFields(): Promise<boolean> {
  const { browserSupportsWebAuthnAutofill } = await loadLibrary();
  return browserSupportsWebAuthnAutofill();
}

/** Offers passkeys in the field for the email, and waits for one to be chosen. @returns null if none was */
export async function waitForPasskeyInField(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON | null> {
  const { startAuthentication } = await loadLibrary();
  return orDeclined(startAuthentication({ optionsJSON: options, useBrowserAutofill: true }));
}

/** Cancels an open prompt. */
export async function stopWaitingForPasskey(): Promise<void> {
  const { WebAuthnAbortService } = await loadLibrary();
  WebAuthnAbortService.cancelCeremony();
}

async function orDeclined<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && DECLINED.has(error.name)) return null;
    throw error;
  }
}
