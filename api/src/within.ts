/** @throws Error with the message if the work takes longer; the work itself continues */
export async function within<T>(work: Promise<T>, limitMs: number, message: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(message)), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
