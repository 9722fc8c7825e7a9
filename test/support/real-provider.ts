/** The setting `provider` of a deployment that pays from a real account. */
export const realProvider = {
  kind: 'service',
  baseUrl: 'https://pay.example',
  signingSecretName: 'sign',
  authorizationSecretName: 'pay',
  signing: 'hmac-sha256',
} as const;
