<?php

declare(strict_types=1);

namespace Switchboard\Client;

use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Switchboard\Client\Generated\Operations;

/** Calls of a gateway, over any PSR-18 client. Set a time limit there: PSR-18 has none. */
final class Client extends Operations
{
    /** How long `events` waits before it reads the log again. */
    private const POLL_SECONDS = 1.0;

    /** @var \Closure(float): void */
    private readonly \Closure $sleep;

    /** @param ?\Closure(float): void $sleep waits before the next attempt; tests replace it */
    public function __construct(
        private readonly string $url,
        private readonly ?string $key,
        private readonly ClientInterface $http,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
        private readonly int $retries = 4,
        private readonly float $maxPauseSeconds = 60,
        ?\Closure $sleep = null,
    ) {
        $this->sleep = $sleep ?? static fn (float $seconds) => usleep((int) ($seconds * 1_000_000));
    }

    /**
     * Follows the event log, through restarts of the gateway. It is read in pages, because PSR-18 has no streams.
     *
     * Store the id of each event once it is processed, and pass it as `$after` at the next start; `start` follows the whole log.
     * Without it, only events from now on are followed.
     *
     * @param list<string> $events only these; default: all
     * @return \Generator<int, array<string, mixed>>
     */
    public function events(?string $instanceName = null, array $events = [], ?string $after = null): \Generator
    {
        $filter = ['instanceName' => $instanceName, 'events' => $events === [] ? null : implode(',', $events)];
        $isStarted = $after !== null;
        $after = $after === 'start' ? null : $after;
        for ($failures = 0; ; ) {
            try {
                if (!$isStarted) {
                    $after = $this->call('listEvents', ['before' => 'end', 'limit' => 1])['next'];
                    $isStarted = true;
                }
                $page = $this->call('listEvents', [...$filter, 'after' => $after]);
                $failures = 0;
            } catch (SwitchboardException $failure) {
                if (!Retry::isTemporary($failure)) {
                    throw $failure;
                }
                ($this->sleep)(Retry::backoff($failures++));
                continue;
            }
            foreach ($page['events'] as $event) {
                yield $event;
            }
            $after = $page['next'] ?? $after;
            if (!$page['hasMore']) {
                ($this->sleep)(self::POLL_SECONDS);
            }
        }
    }

    protected function pages(string $id, array $fields): \Generator
    {
        for ($page = (int) ($fields['page'] ?? 1); ; $page++) {
            $answer = $this->call($id, [...$fields, 'page' => $page]);
            foreach ($answer[self::OPERATIONS[$id]['pageOf']] as $item) {
                yield $item;
            }
            if ($answer['hasMore'] !== true) {
                return;
            }
        }
    }

    protected function call(string $id, array $fields, ?string $idempotencyKey = null, ?int $waitSeconds = null): mixed
    {
        $operation = self::OPERATIONS[$id];
        $request = $this->requestOf($operation, $fields);
        if ($operation['isIdempotent']) {
            $request = $request->withHeader('Idempotency-Key', $idempotencyKey ?? bin2hex(random_bytes(16)));
        }
        if ($waitSeconds !== null) {
            $request = $request->withHeader('Prefer', "wait=$waitSeconds");
        }
        $isRepeatable = $operation['method'] === 'GET' || $operation['isIdempotent'];
        for ($attempt = 0; ; $attempt++) {
            try {
                return $this->read($operation, $this->send($request));
            } catch (SwitchboardException $failure) {
                $pause = Retry::pauseBefore($failure, $attempt, $isRepeatable, $this->maxPauseSeconds);
                if ($pause === null || $attempt >= $this->retries) {
                    throw $failure;
                }
                ($this->sleep)($pause);
            }
        }
    }

    private function send(RequestInterface $request): ResponseInterface
    {
        try {
            $request->getBody()->rewind();
            return $this->http->sendRequest($request);
        } catch (ClientExceptionInterface $cause) {
            throw SwitchboardException::unreachable($cause);
        }
    }

    /** @param array<string, mixed> $operation */
    private function read(array $operation, ResponseInterface $response): mixed
    {
        if ($response->getStatusCode() !== 200) {
            throw SwitchboardException::fromResponse($response);
        }
        $body = (string) $response->getBody();
        if ($operation['isFile']) {
            return new FileContent($body, $response->getHeaderLine('Content-Type'));
        }
        $answer = json_decode($body, true);
        return is_array($answer) ? $answer : throw SwitchboardException::fromResponse($response);
    }

    /**
     * @param array<string, mixed> $operation
     * @param array<string, mixed> $fields
     */
    private function requestOf(array $operation, array $fields): RequestInterface
    {
        $url = rtrim($this->url, '/') . self::pathOf($operation, $fields);
        // libcurl repeats a request without notice when a connection that it uses again breaks, also one that may have been carried out.
        $request = $this->requests->createRequest($operation['method'], $url)->withHeader('Connection', 'close');
        if ($this->key !== null && $operation['needsKey']) {
            $request = $request->withHeader('Authorization', "Bearer {$this->key}");
        }
        if ($operation['body'] === 'json') {
            $json = json_encode(self::bodyOf($operation, $fields), JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
            return $request->withHeader('Content-Type', 'application/json')->withBody($this->streams->createStream($json));
        }
        if ($operation['body'] === 'file') {
            $type = $fields['contentType'] ?? 'application/octet-stream';
            return $request->withHeader('Content-Type', $type)->withBody($this->streams->createStream($fields['file']));
        }
        return $request;
    }

    /**
     * @param array<string, mixed> $operation
     * @param array<string, mixed> $fields
     */
    private static function pathOf(array $operation, array $fields): string
    {
        $path = preg_replace_callback(
            '/\{(\w+)\}/',
            static fn (array $match) => self::segment($match[1], $fields[$match[1]] ?? null),
            $operation['path'],
        );
        $query = [];
        foreach ($operation['query'] as $name) {
            if (isset($fields[$name])) {
                $query[$name] = is_bool($fields[$name]) ? var_export($fields[$name], true) : $fields[$name];
            }
        }
        return $query === [] ? $path : $path . '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986);
    }

    /** An empty segment, `.` or `..` would change the path. */
    private static function segment(string $name, mixed $value): string
    {
        $text = (string) $value;
        if (in_array($text, ['', '.', '..'], true)) {
            $details = [['path' => $name, 'message' => 'required']];
            throw new SwitchboardException("$name is required", 0, 'invalid_request', $details);
        }
        return rawurlencode($text);
    }

    /**
     * All fields that are not in the path and not in the query. An object, because an empty array would become a JSON list.
     *
     * @param array<string, mixed> $operation
     * @param array<string, mixed> $fields
     */
    private static function bodyOf(array $operation, array $fields): object
    {
        preg_match_all('/\{(\w+)\}/', $operation['path'], $found);
        return (object) array_diff_key($fields, array_flip([...$operation['query'], ...$found[1]]));
    }
}
