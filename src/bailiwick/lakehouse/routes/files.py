"""Files in volumes over HTTP: sent and fetched as a stream, of which no more than a piece is held in memory."""

from __future__ import annotations

import errno
import re
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, BinaryIO
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect

from bailiwick.lakehouse import files
from bailiwick.lakehouse.schemas.volumes import FilesOut, PutFileOut
from bailiwick.problems import PROBLEMS
from bailiwick.tenancy.calling import Carrying, Changing, Errand, Reading, ReadingAsOneself
from bailiwick.tenancy.listing import Cursor, FileSort, Limit, Search

router = APIRouter(prefix="/api/v1/volumes", tags=["volumes"], responses=PROBLEMS)

PIECE = 1024 * 1024
RANGE = re.compile(r"bytes=([0-9]{1,18})?-([0-9]{1,18})?")
BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


@router.get("/{volume_id}/files", summary="List the files in a folder of a volume")
def list_files(
    call: Reading,
    volume_id: UUID,
    folder: Annotated[str, Query(max_length=2000, description="Without it, the volume's own.")] = "",
    search: Annotated[Search, Query(description="Part of a name, in this folder.")] = None,
    sort: FileSort = "name",
    cursor: Cursor = None,
    limit: Limit = 50,
) -> FilesOut:
    page = files.list_files(
        call.session,
        call.caller,
        call.settings,
        volume_id,
        folder=folder,
        search=search,
        sort=sort,
        cursor=cursor,
        limit=limit,
    )
    return FilesOut.of(page)


@router.get(
    "/{volume_id}/files/{path:path}",
    summary="Fetch a file of a volume",
    response_class=StreamingResponse,
    responses={200: {"content": BYTES}, 206: {"content": BYTES, "description": "The part that `Range` asked for."}},
)
def fetch_file(call: ReadingAsOneself, request: Request, volume_id: UUID, path: str) -> Response:
    """All of it, or one range of bytes."""
    opened = files.open_file(call.session, call.caller, call.settings, volume_id, path)
    headers = {
        "Content-Disposition": _as_attachment(opened.name),
        "ETag": opened.tag,
        "Accept-Ranges": "bytes",
        "Last-Modified": opened.changed_at.strftime("%a, %d %b %Y %H:%M:%S GMT"),
    }
    first, last, status = 0, opened.bytes - 1, 200
    asked = RANGE.fullmatch(request.headers.get("Range", ""))
    if asked and asked.group() != "bytes=-" and request.headers.get("If-Range", opened.tag) == opened.tag:
        if asked[1]:
            first, last = int(asked[1]), min(int(asked[2] or last), last)
        else:
            first = max(0, opened.bytes - int(asked[2]))
        if first > last:
            opened.file.close()
            raise HTTPException(
                416, "The file is shorter than that.", headers={"Content-Range": f"bytes */{opened.bytes}"}
            )
        status = 206
        headers["Content-Range"] = f"bytes {first}-{last}/{opened.bytes}"
    headers["Content-Length"] = str(last - first + 1)
    pieces = _pieces(opened.file, first, last - first + 1)
    return StreamingResponse(pieces, status, headers, media_type="application/octet-stream")


@router.put(
    "/{volume_id}/files/{path:path}",
    summary="Put a file into a volume",
    status_code=201,
    openapi_extra={"requestBody": {"content": BYTES, "description": "The file itself."}},
)
async def put_file(
    errand: Carrying,
    volume_id: UUID,
    path: str,
    overwrite: Annotated[bool, Query(description="Replace a file of this name.")] = False,
) -> PutFileOut:
    """Nobody sees the file before all of it is there."""
    await run_in_threadpool(_may_put_file, errand, volume_id, path)
    draft = await run_in_threadpool(files.Draft, errand.settings)
    try:
        async for piece in _in_large_pieces(errand.request):
            await run_in_threadpool(draft.write, piece)
        await run_in_threadpool(draft.finish)
        return await run_in_threadpool(_put_file, errand, volume_id, path, draft, overwrite)
    except ClientDisconnect:
        raise HTTPException(400, "The file did not come to its end. Send it again.") from None
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        raise HTTPException(507, "There is no room left for this file.") from None
    finally:
        draft.discard()


@router.delete("/{volume_id}/files/{path:path}", summary="Delete a file of a volume", status_code=204)
def delete_file(call: Changing, volume_id: UUID, path: str) -> None:
    files.delete_file(call.session, call.caller, call.settings, volume_id, path)


def _may_put_file(errand: Errand, volume_id: UUID, path: str) -> None:
    with errand.database.read() as session:
        files.may_put_file(session, errand.caller, volume_id, path)


def _put_file(errand: Errand, volume_id: UUID, path: str, draft: files.Draft, overwrite: bool) -> PutFileOut:
    with errand.database.session() as session:
        caller = errand.caller_in(session)
        put = files.put_file(session, caller, errand.settings, volume_id, path, draft, overwrite=overwrite)
    return PutFileOut.put(*put)


async def _in_large_pieces(request: Request) -> AsyncIterator[bytes]:
    """What comes over the wire in small pieces, in large ones: each is a trip to another thread."""
    held = bytearray()
    async for piece in request.stream():
        held += piece
        if len(held) >= PIECE:
            yield bytes(held)
            held.clear()
    if held:
        yield bytes(held)


def _pieces(file: BinaryIO, first: int, length: int) -> Iterator[bytes]:
    """No more than was announced, even if the file grows meanwhile."""
    with file:
        file.seek(first)
        while length > 0 and (piece := file.read(min(PIECE, length))):
            length -= len(piece)
            yield piece


def _as_attachment(name: str) -> str:
    """Saved, never shown: a browser must not run what somebody put into a volume."""
    plain = re.sub(r"[^A-Za-z0-9 ._()+-]", "_", name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
