<?php

declare(strict_types=1);

namespace Switchboard\Client;

use Psr\Http\Message\ResponseInterface;

/** A refusal of the gateway, or the lack of an answer (status 0, reason `unreachable`). */
final class SwitchboardException extends \RuntimeException
{
    /**
     * @param string $reason a reason of the API, or `unreachable` or `unreadable_answer`
     * @param list<array{path: string, message: string}> $details with `invalid_request`: every invalid field
     * @param ?int $retryAfterSeconds how long to wait before a retry
     */
    public function __construct(
        string $message,
        public readonly int $status,
        public readonly string $reason,
        public readonly array $details = [],
        public readonly ?string $requestId = null,
        public readonly ?int $retryAfterSeconds = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, $status, $previous);
    }

    public static function unreachable(\Throwable $cause): self
    {
        return new self('The gateway did not answer.', 0, 'unreachable', previous: $cause);
    }

    /** A refusal in the form of the API; anything else comes from a proxy or another server. */
    public static function fromResponse(ResponseInterface $response): self
    {
        $status = $response->getStatusCode();
        $retryAfter = self::retryAfterOf($response->getHeaderLine('Retry-After'));
        $body = json_decode((string) $response->getBody(), true);
        if (!is_array($body) || !is_string($body['reason'] ?? null)) {
            $message = "The answer (status $status) is not from the gateway. Check its URL.";
            return new self($message, $status, 'unreadable_answer', retryAfterSeconds: $retryAfter);
        }
        return new self(
            (string) ($body['error'] ?? ''),
            $status,
            $body['reason'],
            $body['details'] ?? [],
            $body['requestId'] ?? null,
            $retryAfter,
        );
    }

    /** Seconds, or the date that proxies may send. */
    private static function retryAfterOf(string $header): ?int
    {
        if (preg_match('/^[0-9]{1,9}$/D', $header)) {
            return (int) $header;
        }
        $moment = $header === '' ? false : strtotime($header);
        return $moment === false ? null : max(0, $moment - time());
    }
}
