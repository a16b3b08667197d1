export type Environment = Readonly<Record<string, string | undefined>>

/** @returns the address without a slash at its end */
export function readBaseUrl(
  environment: Environment,
  variable: string,
  standard?: string,
): { url: string } | { problem: string } {
  const given = readVariable(environment, variable) ?? standard
  if (given === undefined)
    return { problem: `${variable} is not set; it must be the address of the provider's API` }
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isUsable = url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === ''
  // Not quoted: an address may hold a password.
  if (!isUsable)
    return { problem: `${variable} must be an http or https address without a user name and password` }
  return { url: given.replace(/\/+$/, '') }
}

/** What is wrong with a key; the key itself is never repeated. */
export function keyProblems(variable: string, key: string | undefined, neededFor?: string): string[] {
  if (key === undefined)
    return neededFor === undefined ? [] : [`${variable} is not set; ${neededFor} needs it`]
  return /^[\x21-\x7e]+$/.test(key) ? [] : [`${variable} holds characters that no key has, such as spaces`]
}

/** Clients write empty strings for variables that they were given no value for. */
export function readVariable(environment: Environment, variable: string): string | undefined {
  return environment[variable]?.trim() || undefined
}
