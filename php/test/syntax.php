<?php

declare(strict_types=1);

// Compiles every file; a deprecation or a warning of the compiler counts as an error.
$status = 0;
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator(dirname(__DIR__))) as $file) {
    if ($file->getExtension() === 'php') {
        exec(escapeshellarg(PHP_BINARY) . ' -n -d error_reporting=-1 -d display_errors=1 -l ' . escapeshellarg((string) $file), $said, $failed);
        if ($failed !== 0 || preg_grep('/Deprecated|Warning|Notice/', $said)) {
            fwrite(STDERR, implode("\n", $said) . "\n");
            $status = 1;
        }
        $said = [];
    }
}
exit($status);
