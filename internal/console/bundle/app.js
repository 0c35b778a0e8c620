/* Generated from 3212988cb53e30f02250741bc5752877f1f92b050a0cd20558e3f2519fda30b2; see licenses.txt. */
var Uo,nt,Qd,Zp,$a,Vd,ec,tc,si,Lo,Qs,nc,ii,oi,ri,Xp,Wo={},qo=[],Qp=/acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i,Bo=Array.isArray;function Qn(e,t){
for(var n in t)e[n]=t[n];return e}function li(e){e&&e.parentNode&&e.parentNode.removeChild(e)}function di(e,t,n){var s,o,r,d={};for(r in t)r=="key"?s=t[r]:r=="r\
ef"?o=t[r]:d[r]=t[r];if(arguments.length>2&&(d.children=arguments.length>3?Uo.call(arguments,2):n),typeof e=="function"&&e.defaultProps!=null)for(r in e.defaultProps)
d[r]===void 0&&(d[r]=e.defaultProps[r]);return Fo(e,d,s,o,null)}function Fo(e,t,n,s,o){var r={type:e,props:t,key:n,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,
constructor:void 0,__v:o??++Qd,__i:-1,__u:0};return o==null&&nt.vnode!=null&&nt.vnode(r),r}function Jo(e){return e.children}function No(e,t){this.props=e,this.context=t}function Na(e,t){if(t==null)return e.__?Na(e.__,e.__i+1):null;for(var n;t<e.__k.length;t++)
if((n=e.__k[t])!=null&&n.__e!=null)return n.__e;return typeof e.type=="function"?Na(e):null}function eh(e){if(e.__P&&e.__d){var t=e.__v,n=t.__e,s=[],o=[],r=Qn({},
t);r.__v=t.__v+1,nt.vnode&&nt.vnode(r),ci(e.__P,r,t,e.__n,e.__P.namespaceURI,32&t.__u?[n]:null,s,n??Na(t),!!(32&t.__u),o),r.__v=t.__v,r.__.__k[r.__i]=r,ic(s,r,o),
t.__e=t.__=null,r.__e!=n&&ac(r)}}function ac(e){if((e=e.__)!=null&&e.__c!=null)return e.__e=e.__c.base=null,e.__k.some(function(t){if(t!=null&&t.__e!=null)return e.
__e=e.__c.base=t.__e}),ac(e)}function Yd(e){(!e.__d&&(e.__d=!0)&&$a.push(e)&&!Ho.__r++||Vd!=nt.debounceRendering)&&((Vd=nt.debounceRendering)||ec)(Ho)}function Ho(){
try{for(var e,t=1;$a.length;)$a.length>t&&$a.sort(tc),e=$a.shift(),t=$a.length,eh(e)}finally{$a.length=Ho.__r=0}}function sc(e,t,n,s,o,r,d,c,$,w,j){var E,v,R,U,
J,ie,ye=s&&s.__k||qo,de=t.length;for($=th(n,t,ye,$,de),E=0;E<de;E++)(R=n.__k[E])!=null&&(v=R.__i!=-1&&ye[R.__i]||Wo,R.__i=E,ie=ci(e,R,v,o,r,d,c,$,w,j),U=R.__e,R.
ref&&v.ref!=R.ref&&(v.ref&&ui(v.ref,null,R),j.push(R.ref,R.__c||U,R)),J==null&&U!=null&&(J=U),4&R.__u?($=oc(R,$,e),v.__e&&(v.__e=null)):typeof R.type=="function"&&
ie!==void 0?$=ie:U&&($=U.nextSibling),R.__u&=-7);return n.__e=J,$}function th(e,t,n,s,o){var r,d,c,$,w,j=n.length,E=j,v=0;for(e.__k=new Array(o),r=0;r<o;r++)(d=
t[r])!=null&&typeof d!="boolean"&&typeof d!="function"?(typeof d=="string"||typeof d=="number"||typeof d=="bigint"||d.constructor==String?d=e.__k[r]=Fo(null,d,null,
null,null):Bo(d)?d=e.__k[r]=Fo(Jo,{children:d},null,null,null):d.constructor===void 0&&d.__b>0?d=e.__k[r]=Fo(d.type,d.props,d.key,d.ref?d.ref:null,d.__v):e.__k[r]=
d,$=r+v,d.__=e,d.__b=e.__b+1,c=null,(w=d.__i=nh(d,n,$,E))!=-1&&(E--,(c=n[w])&&(c.__u|=2)),c==null||c.__v==null?(w==-1&&(o>j?v--:o<j&&v++),typeof d.type!="functi\
on"&&(d.__u|=4)):w!=$&&(w==$-1?v--:w==$+1?v++:(w>$?v--:v++,d.__u|=4))):e.__k[r]=null;if(E)for(r=0;r<j;r++)(c=n[r])!=null&&(2&c.__u)==0&&(c.__e==s&&(s=Na(c)),dc(
c,c));return s}function oc(e,t,n){var s,o;if(typeof e.type=="function"){for(s=e.__k,o=0;s&&o<s.length;o++)s[o]&&(s[o].__=e,t=oc(s[o],t,n));return t}e.__e!=t&&(t&&
e.type&&!t.parentNode&&(t=Na(e)),t=n.insertBefore(e.__e,t||null));do t=t&&t.nextSibling;while(t!=null&&t.nodeType==8);return t}function nh(e,t,n,s){var o,r,d,c=e.key,$=e.type,w=t[n],j=w!=null&&(2&w.__u)==0;if(w===null&&c==null||j&&c==w.key&&$==w.type)return n;if(s>(j?1:0)){for(o=n-1,r=n+
1;o>=0||r<t.length;)if((w=t[d=o>=0?o--:r++])!=null&&(2&w.__u)==0&&c==w.key&&$==w.type)return d}return-1}function Zd(e,t,n){t[0]=="-"?e.setProperty(t,n??""):e[t]=
n==null?"":typeof n!="number"||Qp.test(t)?n:n+"px"}function Oo(e,t,n,s,o){var r,d;e:if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof s=="str\
ing"&&(e.style.cssText=s=""),s)for(t in s)n&&t in n||Zd(e.style,t,"");if(n)for(t in n)s&&n[t]==s[t]||Zd(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")r=t!=(t=t.replace(
nc,"$1")),d=t.toLowerCase(),t=d in e||t=="onFocusOut"||t=="onFocusIn"?d.slice(2):t.slice(2),e.l||(e.l={}),e.l[t+r]=n,n?s?n[Qs]=s[Qs]:(n[Qs]=ii,e.addEventListener(
t,r?ri:oi,r)):e.removeEventListener(t,r?ri:oi,r);else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&
t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{e[t]=n??"";break e}catch{}
typeof n=="function"||(n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n))}}function Xd(e){return function(t){if(this.l){
var n=this.l[t.type+e];if(t[Lo]==null)t[Lo]=ii++;else if(t[Lo]<n[Qs])return;return n(nt.event?nt.event(t):t)}}}function ci(e,t,n,s,o,r,d,c,$,w){var j,E,v,R,U,J,
ie,ye,de,tt,Pe,Ke,re,be,un,zt,an=t.type;if(t.constructor!==void 0)return null;128&n.__u&&($=!!(32&n.__u),r=[c=t.__e=n.__e]),(j=nt.__b)&&j(t);e:if(typeof an=="fu\
nction"){E=d.length;try{if(de=t.props,tt=an.prototype&&an.prototype.render,Pe=(j=an.contextType)&&s[j.__c],Ke=j?Pe?Pe.props.value:j.__:s,n.__c?ye=(v=t.__c=n.__c).
__=v.__E:(tt?t.__c=v=new an(de,Ke):(t.__c=v=new No(de,Ke),v.constructor=an,v.render=sh),Pe&&Pe.sub(v),v.state||(v.state={}),v.__n=s,R=v.__d=!0,v.__h=[],v._sb=[]),
tt&&v.__s==null&&(v.__s=v.state),tt&&an.getDerivedStateFromProps!=null&&(v.__s==v.state&&(v.__s=Qn({},v.__s)),Qn(v.__s,an.getDerivedStateFromProps(de,v.__s))),U=
v.props,J=v.state,v.__v=t,R)tt&&an.getDerivedStateFromProps==null&&v.componentWillMount!=null&&v.componentWillMount(),tt&&v.componentDidMount!=null&&v.__h.push(
v.componentDidMount);else{if(tt&&an.getDerivedStateFromProps==null&&de!==U&&v.componentWillReceiveProps!=null&&v.componentWillReceiveProps(de,Ke),t.__v==n.__v||
!v.__e&&v.shouldComponentUpdate!=null&&v.shouldComponentUpdate(de,v.__s,Ke)===!1){t.__v!=n.__v&&(v.props=de,v.state=v.__s,v.__d=!1),t.__e=n.__e,t.__k=n.__k,t.__k.
some(function(Le){Le&&(Le.__=t)}),qo.push.apply(v.__h,v._sb),v._sb=[],v.__h.length&&d.push(v),c=Na(n);break e}v.componentWillUpdate!=null&&v.componentWillUpdate(
de,v.__s,Ke),tt&&v.componentDidUpdate!=null&&v.__h.push(function(){v.componentDidUpdate(U,J,ie)})}if(v.context=Ke,v.props=de,v.__P=e,v.__e=!1,re=nt.__r,be=0,tt)
v.state=v.__s,v.__d=!1,re&&re(t),j=v.render(v.props,v.state,v.context),qo.push.apply(v.__h,v._sb),v._sb=[];else do v.__d=!1,re&&re(t),j=v.render(v.props,v.state,
v.context),v.state=v.__s;while(v.__d&&++be<25);v.state=v.__s,v.getChildContext!=null&&(s=Qn(Qn({},s),v.getChildContext())),tt&&!R&&v.getSnapshotBeforeUpdate!=null&&
(ie=v.getSnapshotBeforeUpdate(U,J)),un=j!=null&&j.type===Jo&&j.key==null?lc(j.props.children):j,c=sc(e,Bo(un)?un:[un],t,n,s,o,r,d,c,$,w),v.base=t.__e,t.__u&=-161,
v.__h.length&&d.push(v),ye&&(v.__E=v.__=null)}catch(Le){if(d.length=E,t.__v=null,$||r!=null){if(Le.then){for(t.__u|=$?160:128;c&&c.nodeType==8&&c.nextSibling;)c=
c.nextSibling;r!=null&&(r[r.indexOf(c)]=null),t.__e=c}else if(r!=null)for(zt=r.length;zt--;)li(r[zt])}else t.__e=n.__e;t.__k==null&&(t.__k=n.__k||[]),Le.then||rc(
t),nt.__e(Le,t,n)}}else r==null&&t.__v==n.__v?(t.__k=n.__k,t.__e=n.__e):c=t.__e=ah(n.__e,t,n,s,o,r,d,$,w);return(j=nt.diffed)&&j(t),128&t.__u?void 0:c}function rc(e){
e&&(e.__c&&(e.__c.__e=!0),e.__k&&e.__k.some(rc))}function ic(e,t,n){for(var s=0;s<n.length;s++)ui(n[s],n[++s],n[++s]);nt.__c&&nt.__c(t,e),e.some(function(o){try{
e=o.__h,o.__h=[],e.some(function(r){r.call(o)})}catch(r){nt.__e(r,o.__v)}})}function lc(e){return typeof e!="object"||e==null||e.__b>0?e:Bo(e)?e.map(lc):e.constructor!==
void 0?null:Qn({},e)}function ah(e,t,n,s,o,r,d,c,$){var w,j,E,v,R,U,J,ie=n.props||Wo,ye=t.props,de=t.type;if(de=="svg"?o="http://www.w3.org/2000/svg":de=="math"?
o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),r!=null){for(w=0;w<r.length;w++)if((R=r[w])&&"setAttribute"in R==!!de&&(de?R.localName==
de:R.nodeType==3)){e=R,r[w]=null;break}}if(e==null){if(de==null)return document.createTextNode(ye);e=document.createElementNS(o,de,ye.is&&ye),c&&(nt.__m&&nt.__m(
t,r),c=!1),r=null}if(de==null)ie===ye||c&&e.data==ye||(e.data=ye);else{if(r=de=="textarea"&&ye.defaultValue!=null?null:r&&Uo.call(e.childNodes),!c&&r!=null)for(ie=
{},w=0;w<e.attributes.length;w++)ie[(R=e.attributes[w]).name]=R.value;for(w in ie)R=ie[w],w=="dangerouslySetInnerHTML"?E=R:w=="children"||w in ye||w=="value"&&"\
defaultValue"in ye||w=="checked"&&"defaultChecked"in ye||Oo(e,w,null,R,o);for(w in ye)R=ye[w],w=="children"?v=R:w=="dangerouslySetInnerHTML"?j=R:w=="value"?U=R:
w=="checked"?J=R:c&&typeof R!="function"||ie[w]===R||Oo(e,w,R,ie[w],o);if(j)c||E&&(j.__html==E.__html||j.__html==e.innerHTML)||(e.innerHTML=j.__html),t.__k=[];else if(E&&
(e.innerHTML=""),sc(t.type=="template"?e.content:e,Bo(v)?v:[v],t,n,s,de=="foreignObject"?"http://www.w3.org/1999/xhtml":o,r,d,r?r[0]:n.__k&&Na(n,0),c,$),r!=null)
for(w=r.length;w--;)li(r[w]);c&&de!="textarea"||(w="value",de=="progress"&&U==null?e.removeAttribute("value"):U!=null&&(U!==e[w]||de=="progress"&&!U||de=="optio\
n"&&U!=ie[w])&&Oo(e,w,U,ie[w],o),w="checked",J!=null&&J!=e[w]&&Oo(e,w,J,ie[w],o))}return e}function ui(e,t,n){try{if(typeof e=="function"){var s=typeof e.__u=="\
function";s&&e.__u(),s&&t==null||(e.__u=e(t))}else e.current=t}catch(o){nt.__e(o,n)}}function dc(e,t,n){var s,o;if(nt.unmount&&nt.unmount(e),(s=e.ref)&&(s.current&&
s.current!=e.__e||ui(s,null,t)),(s=e.__c)!=null){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(r){nt.__e(r,t)}s.base=s.__P=s.__n=null}if(s=e.__k)
for(o=0;o<s.length;o++)s[o]&&dc(s[o],t,n||typeof e.type!="function");n||li(e.__e),e.__c=e.__=e.__e=void 0}function sh(e,t,n){return this.constructor(e,n)}function pi(e,t,n){
var s,o,r,d;t==document&&(t=document.documentElement),nt.__&&nt.__(e,t),o=(s=typeof n=="function")?null:n&&n.__k||t.__k,r=[],d=[],ci(t,e=(!s&&n||t).__k=di(Jo,null,
[e]),o||Wo,Wo,t.namespaceURI,!s&&n?[n]:o?null:t.firstChild?Uo.call(t.childNodes):null,r,!s&&n?n:o?o.__e:t.firstChild,s,d),ic(r,e,d),e.props.children=null}Uo=qo.slice,nt={__e:function(e,t,n,s){for(var o,r,d;t=t.__;)if((o=t.__c)&&!o.__)try{if((r=o.constructor)&&r.getDerivedStateFromError!=null&&(o.setState(r.getDerivedStateFromError(
e)),d=o.__d),o.componentDidCatch!=null&&(o.componentDidCatch(e,s||{}),d=o.__d),d)return o.__E=o}catch(c){e=c}throw e}},Qd=0,Zp=function(e){return e!=null&&e.constructor===
void 0},No.prototype.setState=function(e,t){var n;n=this.__s!=null&&this.__s!=this.state?this.__s:this.__s=Qn({},this.state),typeof e=="function"&&(e=e(Qn({},n),
this.props)),e&&Qn(n,e),e!=null&&this.__v&&(t&&this._sb.push(t),Yd(this))},No.prototype.forceUpdate=function(e){this.__v&&(this.__e=!0,e&&this.__h.push(e),Yd(this))},
No.prototype.render=Jo,$a=[],ec=typeof Promise=="function"?Promise.prototype.then.bind(Promise.resolve()):setTimeout,tc=function(e,t){return e.__v.__b-t.__v.__b},
Ho.__r=0,si=Math.random().toString(8),Lo="__d"+si,Qs="__a"+si,nc=/(PointerCapture)$|Capture$/i,ii=0,oi=Xd(!1),ri=Xd(!0),Xp=0;var uc=function(e,t,n,s){var o;t[0]=0;for(var r=1;r<t.length;r++){var d=t[r++],c=t[r]?(t[0]|=d?1:2,n[t[r++]]):t[++r];d===3?s[0]=c:d===4?s[1]=Object.assign(s[1]||
{},c):d===5?(s[1]=s[1]||{})[t[++r]]=c:d===6?s[1][t[++r]]+=c+"":d?(o=e.apply(c,uc(e,c,n,["",null])),s.push(o),c[0]?t[0]|=2:(t[r-2]=0,t[r]=o)):s.push(c)}return s},
cc=new Map;function pc(e){var t=cc.get(this);return t||(t=new Map,cc.set(this,t)),(t=uc(this,t.get(e)||(t.set(e,t=(function(n){for(var s,o,r=1,d="",c="",$=[0],w=function(v){
r===1&&(v||(d=d.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?$.push(0,v,d):r===3&&(v||d)?($.push(3,v,d),r=2):r===2&&d==="..."&&v?$.push(4,v,0):r===2&&d&&!v?$.push(5,0,!0,
d):r>=5&&((d||!v&&r===5)&&($.push(r,0,d,o),r=6),v&&($.push(r,v,0,o),r=6)),d=""},j=0;j<n.length;j++){j&&(r===1&&w(),w(j));for(var E=0;E<n[j].length;E++)s=n[j][E],
r===1?s==="<"?(w(),$=[$],r=3):d+=s:r===4?d==="--"&&s===">"?(r=1,d=""):d=s+d[0]:c?s===c?c="":d+=s:s==='"'||s==="'"?c=s:s===">"?(w(),r=1):r&&(s==="="?(r=5,o=d,d=""):
s==="/"&&(r<5||n[j][E+1]===">")?(w(),r===3&&($=$[0]),r=$,($=$[0]).push(2,0,r),r=0):s===" "||s==="	"||s===`
`||s==="\r"?(w(),r=2):d+=s),r===3&&d==="!--"&&(r=4,$=$[0])}return w(),$})(e)),t),arguments,[])).length>1?t:t[0]}var eo,vt,hi,hc,Go=0,yc=[],kt=nt,fc=kt.__b,mc=kt.__r,$c=kt.diffed,gc=kt.__c,bc=kt.unmount,vc=kt.__;function mi(e,t){kt.__h&&kt.__h(vt,e,Go||t),Go=0;var n=vt.__H||
(vt.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function z(e){return Go=1,oh(kc,e)}function oh(e,t,n){var s=mi(eo++,2);if(s.t=e,!s.__c&&(s.
__=[n?n(t):kc(void 0,t),function(c){var $=s.__N?s.__N[0]:s.__[0],w=s.t($,c);$!==w&&(s.__N=[w,s.__[1]],s.__c.setState({}))}],s.__c=vt,!vt.__f)){var o=function(c,$,w){
if(!s.__c.__H)return!0;var j=!1,E=s.__c.props!==c;if(s.__c.__H.__.some(function(R){if(R.__N){j=!0;var U=R.__[0];R.__=R.__N,R.__N=void 0,U!==R.__[0]&&(E=!0)}}),r){
var v=r.call(this,c,$,w);return j?v||E:v}return!j||E};vt.__f=!0;var r=vt.shouldComponentUpdate,d=vt.componentWillUpdate;vt.componentWillUpdate=function(c,$,w){if(this.
__e){var j=r;r=void 0,o(c,$,w),r=j}d&&d.call(this,c,$,w)},vt.shouldComponentUpdate=o}return s.__N||s.__}function Ce(e,t){var n=mi(eo++,3);!kt.__s&&xc(n.__H,t)&&
(n.__=e,n.u=t,vt.__H.__h.push(n))}function qt(e){return Go=5,Yt(function(){return{current:e}},[])}function Yt(e,t){var n=mi(eo++,7);return xc(n.__H,t)&&(n.__=e(),n.__H=t,n.__h=e),n.__}function rh(){for(var e;e=yc.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Ko),t.__h.some(fi),t.__h=[]}catch(n){t.__h=[],kt.__e(n,e.__v)}}}kt.__b=function(e){
vt=null,fc&&fc(e)},kt.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),vc&&vc(e,t)},kt.__r=function(e){mc&&mc(e),eo=0;var t=(vt=e.__c).__H;t&&(hi===vt?(t.
__h=[],vt.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})):(t.__h.some(Ko),t.__h.some(fi),t.__h=[],eo=0)),hi=vt},kt.diffed=function(e){$c&&$c(
e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&(yc.push(t)!==1&&hc===kt.requestAnimationFrame||((hc=kt.requestAnimationFrame)||ih)(rh)),t.__H.__.some(function(n){n.
u&&(n.__H=n.u,n.u=void 0)})),hi=vt=null},kt.__c=function(e,t){t.some(function(n){try{n.__h.some(Ko),n.__h=n.__h.filter(function(s){return!s.__||fi(s)})}catch(s){
t.some(function(o){o.__h&&(o.__h=[])}),t=[],kt.__e(s,n.__v)}}),gc&&gc(e,t)},kt.unmount=function(e){bc&&bc(e);var t,n=e.__c;n&&n.__H&&(n.__H.__.some(function(s){
try{Ko(s)}catch(o){t=o}}),n.__H=void 0,t&&kt.__e(t,n.__v))};var wc=typeof requestAnimationFrame=="function";function ih(e){var t,n=function(){clearTimeout(s),wc&&
cancelAnimationFrame(t),setTimeout(e)},s=setTimeout(n,35);wc&&(t=requestAnimationFrame(n))}function Ko(e){var t=vt,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),
vt=t}function fi(e){var t=vt;e.__c=e.__(),vt=t}function xc(e,t){return!e||e.length!==t.length||t.some(function(n,s){return n!==e[s]})}function kc(e,t){return typeof t==
"function"?t(e):t}var a=pc.bind(di);var ga=!1;try{ga=localStorage.getItem("zone")==="utc"}catch{}var jn=()=>ga;function vs(e){ga=e;try{localStorage.setItem("zone",e?"utc":"local")}catch{}window.dispatchEvent(
new Event("zone"))}var _c=0,ut=()=>Date.now()+_c;function Cc(e){_c=Math.abs(e-Date.now())<5e3?0:e-Date.now()}var $i=new Map,ws=e=>{let t=ga?"UTC":void 0;return $i.
has(ga)||$i.set(ga,new Intl.DateTimeFormat("en-GB",{timeZone:t,year:"numeric",month:"2-digit",day:"2-digit",hour:"2-digit",minute:"2-digit",second:"2-digit",hourCycle:"\
h23",timeZoneName:"short"})),Object.fromEntries($i.get(ga).formatToParts(new Date(e)).map(n=>[n.type,n.value]))},to=(e=ut())=>ws(e).timeZoneName,zn=e=>{let t=ws(
e);return`${t.year}-${t.month}-${t.day}`},ln=e=>{let t=ws(e);return`${t.hour}:${t.minute}:${t.second} ${t.timeZoneName}`},It=e=>`${zn(e)} ${ln(e)}`,lh=["Jan","F\
eb","Mar","Apr","May","Jun","Jul","Aug","Sep","Oct","Nov","Dec"],gi=e=>{let t=ws(e);return`${Number(t.day)} ${lh[t.month-1]}`},jc=e=>{let t=ws(e);return`${zn(e)===
zn(ut())?"":gi(e)+" "}${t.hour}:${t.minute} ${t.timeZoneName}`},bi=e=>`${gi(e)} ${ln(e)}`;function vi(e,t=0){let[n,s,o]=e.split("-").map(Number);return(ga?new Date(
Date.UTC(n,s-1,o+t)):new Date(n,s-1,o+t)).toISOString()}function Sc(e,t){let n="";return e.map(s=>{let o=ws(s*1e3),r=gi(s*1e3),d=t>=86400?"":t>=60?`${o.hour}:${o.
minute}`:t>=1?`${o.hour}:${o.minute}:${o.second}`:`${o.second}.${String(Math.round(s*1e3)%1e3).padStart(3,"0")}`;if(!d)return r;let c=r===n?d:`${d}
${r}`;return n=r,c})}var pt={user:"",role:"",csrf:"",ways:[]},Tc={viewer:1,operator:2,admin:3},Ge=e=>(Tc[pt.role]??0)>=Tc[e],ki=()=>{},Rc=e=>{ki=e};async function Ac(e,t,n){let s={Accept:"\
application/json"};e!=="GET"&&(s["Content-Type"]="application/json",s["X-CSRF-Token"]=pt.csrf);let o;try{o=await fetch(t,{method:e,headers:s,body:n===void 0?void 0:
JSON.stringify(n)})}catch{throw Object.assign(new Error("usher does not respond. The page retries automatically."),{lost:!0})}let r=await o.json().catch(()=>({}));
if(o.status===401&&!t.startsWith("/api/login")&&ki(),!o.ok)throw Object.assign(new Error(r.error||`the server answered with status ${o.status}`),{lost:o.status===
503});return r}var On=e=>Ac("GET",e),Ie=(e,t={})=>Ac("POST",e,t);async function ao(){return Object.assign(pt,{user:"",role:"",csrf:"",ways:[]},await On("/api/se\
ssion")),pt}function Te(e){let t=new URLSearchParams;for(let[s,o]of Object.entries(e))o!=null&&o!==""&&o!==!1&&t.set(s,o);let n=t.toString();return n&&"?"+n}var Hn=null,
Dc=!1;function wi(e){for(let t of ba.values())(e.includes("*")||e.some(n=>t.topics.has(n)))&&t.changed()}var ea={state:null,at:Date.now()},dh=3500,Vo=()=>({state:ea.
state,heard:ea.at,cut:Date.now()-ea.at>dh});function yi(){Hn||document.hidden||!pt.user||(ea.at=Date.now(),Hn=new EventSource("/api/live"),Dc&&(Hn.onopen=()=>wi(
["*"])),Dc=!0,Hn.onmessage=e=>wi(e.data.split(",")),Hn.addEventListener("health",e=>{let t=s=>(s?.services??[]).filter(o=>o.since).map(o=>o.name).join(),n=ea.state;
Object.assign(ea,{state:JSON.parse(e.data),at:Date.now()}),ea.state.at.startsWith("0001")||Cc(Date.parse(ea.state.at)),n&&t(n)!==t(ea.state)&&wi(["*"])}),Hn.onerror=
()=>{Hn?.readyState===EventSource.CLOSED&&(Hn=null,setTimeout(async()=>{await ao().then(e=>e.user,()=>"?")?yi():ki()},2e3))})}function no(){Hn?.close(),Hn=null}
function _i(){document.addEventListener("visibilitychange",()=>document.hidden?no():yi()),window.addEventListener("pagehide",no),yi()}var ba=new Map,ch=1500,xi=class{state={
data:null,error:"",lost:!1};topics=new Set;drawn=new Set;busy=!1;again=!1;sent=0;timer=0;constructor(t){this.path=t,this.load()}async load(){if(this.busy){this.
again=!0;return}this.busy=!0,this.again=!1,clearTimeout(this.timer),this.sent=Date.now();try{this.state={data:await On(this.path),error:"",lost:!1}}catch(t){this.
state={data:this.state.data,error:t.message,lost:t.lost}}this.busy=!1;for(let t of this.drawn)t();this.again&&this.changed()}changed(){if(this.busy){this.again=
!0;return}clearTimeout(this.timer),this.timer=setTimeout(()=>ba.get(this.path)===this&&this.load(),Math.max(0,this.sent+ch-Date.now()))}};function je(e,t=[]){let[
,n]=z(0),s=qt(null),o=e?ba.get(e)??new xi(e):null;o&&(ba.set(e,o),t.forEach($=>o.topics.add($))),Ce(()=>{if(!o)return;let $=()=>n(w=>w+1);return o.drawn.add($),
ba.has(e)||(ba.set(e,o),o.changed()),(o.state.data||o.state.error)&&$(),()=>{o.drawn.delete($),o.drawn.size===0&&ba.get(e)===o&&ba.delete(e)}},[o]);let{data:r,error:d,
lost:c}=o?.state??{data:null,error:"",lost:!1};return r&&(s.current=r),{data:r,stale:s.current,error:d,lost:c,reload:()=>o?.load()}}var Ci=new Intl.NumberFormat("en",{maximumFractionDigits:0}),uh=new Intl.NumberFormat("en",{notation:"compact",maximumFractionDigits:1}),ph=new Intl.NumberFormat(
"en",{maximumFractionDigits:2}),hh=new Intl.NumberFormat("en",{maximumSignificantDigits:4}),S=e=>Ci.format(e??0),so=e=>ph.format(e??0),Un=e=>e<1e4?Ci.format(e):
uh.format(e),dn=e=>Number.isInteger(e)?Ci.format(e):hh.format(e),F=(e,t,n=t+"s")=>`${S(e)} ${e===1?t:n}`;function ys(e){let t=["B","kB","MB","GB","TB"],n=0;for(;e>=
1e3&&n<t.length-1;n++)e/=1e3;return`${e<10&&n>0?e.toFixed(1):Math.round(e)} ${t[n]}`}function Zt(e){return e=Math.max(0,e),e<1?`${Math.round(e*1e3)} ms`:e<10?`${e.
toFixed(1)} s`:e<60?`${Math.floor(e)} s`:e<3600?`${Math.floor(e/60)} min ${Math.floor(e%60)} s`:e<86400?`${Math.floor(e/3600)} h ${Math.floor(e%3600/60)} min`:`${Math.
floor(e/86400)} d ${Math.floor(e%86400/3600)} h`}function oo(e,t=ut()){let n=(t-new Date(e).getTime())/1e3,s=Math.abs(n),o;if(s<5)return"just now";if(s<60)o=`${Math.
floor(s)} s`;else if(s<3600)o=`${Math.floor(s/60)} min`;else if(s<86400)o=`${Math.floor(s/3600)} h`;else if(s<86400*60)o=F(Math.floor(s/86400),"day");else return zn(
e);return n<0?`in ${o}`:`${o} ago`}var Bn=e=>a`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${e}</svg>`,
cn={overview:Bn(a`<path d="M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z" />`),audiences:Bn(a`<circle cx="9" cy="8" r="3.5" /><path d="M3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.700 3 5.500" />`),
jobs:Bn(a`<path d="M4 6h16M4 12h16M4 18h10" />`),letters:Bn(a`<path d="M4 6h16v12H4zM4 7l8 6 8-6" />`),campaigns:Bn(a`<path d="M5 10v4l9 4V6zM14 9a3 3 0 0 1 0 6M7 15v4h3v-3" />`),
rules:Bn(a`<path d="M6 4v6M6 14v6M12 4v2M12 10v10M18 4v10M18 18v2M4 12h4M10 8h4M16 16h4" />`),workers:Bn(a`<path d="M4 5h16v5H4zM4 14h16v5H4zM8 7.500h.01M8 16.500h.01" />`),
audit:Bn(a`<path d="M7 3h8l4 4v14H7zM15 3v4h4M10 12h6M10 16h6" />`),theme:Bn(a`<path d="M12 4a8 8 0 1 0 0 16z" fill="currentColor" /><circle cx="12" cy="12" r="8" />`),
leave:Bn(a`<path d="M10 5H5v14h5M14 8l4 4-4 4M18 12H9" />`),brand:a`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4f46e5" /><g fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"><path d="M9 8v8a7 7 0 0 0 14 0V8" /><path d="M9 26h14" /></g></svg>`};var ro=[["h","","Overview"],["a","audiences","Audiences"],["j","jobs","Jobs"],["l","letters","Dead letters"],["c","campaigns","Campaigns"],["r","rules","Rules"],
["w","workers","Workers"],["u","audit","Audit"]];function Wa(){let[e,t]=(location.hash.slice(1)||"/").split("?");return{path:e.split("/").map(decodeURIComponent).
join("/"),names:e.split("/").filter(Boolean).map(decodeURIComponent),params:Object.fromEntries(new URLSearchParams(t))}}function Ec(){let[e,t]=z(Wa());return Ce(
()=>{let n=()=>t(Wa());return window.addEventListener("hashchange",n),()=>window.removeEventListener("hashchange",n)},[]),e}function oe(...e){return"#/"+e.map(encodeURIComponent).
join("/")}function et(e){let{path:t,params:n}={path:(location.hash.slice(1)||"/").split("?")[0],params:Wa().params},s=new URLSearchParams;for(let[r,d]of Object.
entries({...n,...e}))d&&s.set(r,d);let o=s.toString();history.replaceState(history.state,"","#"+t+(o&&"?"+o)),window.dispatchEvent(new Event("hashchange"))}history.
scrollRestoration="manual";var ji=0,va=null;window.addEventListener("scroll",()=>{clearTimeout(ji),va||(ji=setTimeout(()=>history.replaceState({...history.state,
y:window.scrollY},""),150))},{passive:!0});var Pc=()=>va!==null,Mc=["wheel","touchstart","pointerdown","keydown"];function Ic(e){va?.();let t=()=>{window.scrollTo(
0,e),window.scrollY>=e-1&&va?.()},n=new ResizeObserver(t),s=setTimeout(()=>va?.(),5e3),o=()=>{va=null,n.disconnect(),clearTimeout(s),Mc.forEach(r=>window.removeEventListener(
r,o))};va=o,Mc.forEach(r=>window.addEventListener(r,o,{passive:!0})),n.observe(document.body)}window.addEventListener("popstate",e=>{clearTimeout(ji),va?.(),e.state?.
y>0&&Ic(e.state.y)});history.state?.y>0&&Ic(history.state.y);var Ln={invalid_job:{title:"Jobs are not valid",todo:"Correct the field that is wrong with Fix and replay.",then:"Correct it with Fix and replay."},source_missing:{
title:"The export is missing",todo:"Put the export in its place and replay, or set the right file with Fix and replay.",then:"Then replay; if its name is wrong,\
 set the right file with Fix and replay."},source_refused:{title:"The export may not be read",todo:"Move the export to a place that is allowed, and set its new \
place with Fix and replay.",then:"Then replay, or set the new place with Fix and replay."},source_broken:{title:"The export cannot be read",todo:"Have the expor\
t written again and replay, or say with Fix and replay how it is written.",then:"Then replay, or say with Fix and replay how it is written."},unauthorized:{title:"\
The platform refuses the login",todo:"Have the user name or password in usher's configuration corrected, then replay.",then:"Then replay."},forbidden:{title:"Th\
e platform forbids it",todo:"Have usher's login linked to the advertiser on the platform, then replay.",then:"Then replay."},not_found:{title:"The platform does\
 not know the target",todo:"Create the target on the platform and replay, or set the right one with Fix and replay.",then:"Then replay, or set the right one wit\
h Fix and replay."},refused:{title:"The platform refuses the job",todo:"Read what the platform answered, and correct the job with Fix and replay.",then:"Then re\
play, or correct the job with Fix and replay."},shrink:{title:"The audience would shrink too much",todo:"If the smaller export is right, allow it with Fix and r\
eplay. Otherwise have it written again, and replay.",then:"If the smaller export is right, allow it with Fix and replay.",field:"force",value:"true"},changed:{title:"\
The export is not as it was",todo:"If the export is right, accept its differences with Fix and replay. Otherwise have it written as before, and replay.",then:"I\
f the export is right, accept its differences with Fix and replay.",field:"acceptChange",value:"true"},ledger_broken:{title:"usher's list of the ids is damaged",
todo:"Ask whoever runs usher to mend or drop the ledger in the terminal, then replay.",then:"Then replay."},too_many_rejects:{title:"Too many rows are no device\
 ids",todo:"Look at the dropped rows on the job's page. Then correct how the export is read, or allow more, with Fix and replay.",then:"Then correct the job, or\
 allow more, with Fix and replay.",field:"maxRejectPercent"},exhausted:{title:"All attempts have failed",todo:"Remove the cause, then replay.",then:"Then replay\
."},poison:{title:"A worker crashed on it again and again",todo:"Report it with the worker's log. Replay once it is repaired.",then:"Replay once it is repaired."},
deadline:{title:"The deadline has passed",todo:"Set a later deadline with Fix and replay.",then:"Set a later deadline with Fix and replay.",field:"deadline"}},Ht=e=>Ln[e]?.
title??e,io={"segment.add":["Add to a segment",e=>`Add to ${e}`],"segment.remove":["Remove from a segment",e=>`Remove from ${e}`],"segment.mirror":["Make a segm\
ent equal to an export",e=>`Make ${e} equal to an export`],"target.add":["Add to a campaign's devices",e=>`Add to ${e}`],"target.replace":["Replace a campaign's\
 devices",e=>`Replace ${e}`],"target.clear":["Clear a campaign's devices",e=>`Clear ${e}`],"target.mirror":["Make a campaign's devices equal to an export",e=>`M\
ake ${e} equal to an export`],"campaign.pause":["Pause creatives",e=>`Pause creatives of ${e}`],"campaign.resume":["Resume creatives",e=>`Resume creatives of ${e}`],
"campaign.budget":["Set a campaign's daily budget",e=>`Set the daily budget of ${e}`],"campaign.bid":["Set a campaign's maximum bid",e=>`Set the maximum bid of ${e}`],
"rules.evaluate":["Run rules",e=>`Run ${e}`],"device.forget":["Forget devices",()=>"Forget devices"]},fh=e=>io[e]?.[0]??e,ta=e=>(/\(removed\)/.test(e)?"":e??"").
replace(/^target /,"devices of ").replace(/^campaign /,""),xs=(e,t)=>io[e]&&/\S \S/.test(t??"")&&ta(t)?io[e][1](ta(t)):fh(e),We={queued:"Jobs that no worker has\
 begun. A replayed job waits here again.",running:"Jobs that a worker carries out now.",retrying:"Jobs whose last attempt failed, and whose next attempt has a t\
ime.",done:"Jobs that have ended, with every row counted.",failed:"Jobs whose last run has failed, whether or not their dead letters were discarded since.",cancelled:"\
Jobs that were ended by a person. What the platform had taken before stays there.",letters:"Failed jobs that wait for a person: neither replayed nor discarded.",
rows:"Rows that all workers have read, per second, over the last ten seconds.",taken:"Jobs of this lane that run, or wait for their next attempt.",waiting:"Jobs\
 of this lane that no worker has taken, or that were given back.",read:"Rows that were read from the export, whatever became of them.",new:"Accepted ids that we\
re no members of the audience before the job, by its ledger.",accepted:"Rows whose ids the platform has accepted; in a dry run, those that would be sent.",ids:"\
Ids that the audience holds: as usher's ledger counts them, otherwise as the platform said after the last job.",change:"Ids that the last job which changed the \
audience has added and removed.",quality:"Rows of the last export that name no device, in percent of the rows read.",open:"Jobs of this audience that have not e\
nded: queued, running, or waiting for their next attempt.",saved:"Spend of the days on which a creative would have been paused.",pauses:"Creatives that the rule\
s would have paused.",held:"Changes that a limit or a guard would have held back.",missed:"Clicks and impressions of the days on which a creative would have bee\
n paused."},Si={ACTIVE:"active",INACTIVE:"paused",PENDING:"waits for the platform's approval"},mh={released:"rules may change it"},Ut=e=>Si[e]??mh[e]??e,$h={zero_id:"\
zero id",shared_id:"id that many devices share",other_id:"IMEI or MAC address",placeholder:"placeholder, such as null",macro:"macro that was not filled in",header:"\
repeated header",empty:"empty cell",spreadsheet:"changed by a spreadsheet",shape:"no id of a known shape",looks_hashed:"looks hashed",sha1:"SHA-1 hash",sha256:"\
SHA-256 hash",wrong_type:"id of another type",malformed:"cannot be parsed"},qa=e=>$h[e]??e.replaceAll("_"," "),bn={budget:"daily budget",bid:"maximum bid"},lo={
segment:"Segment",campaign:"Campaign",profile:"Kind of ids",advertiser:"Advertiser","source.url":"File","source.column":"Column of ids","source.typeColumn":"Col\
umn of types","source.delimiter":"Delimiter","source.encoding":"Encoding","source.format":"Format","source.sheet":"Sheet","source.skip":"Lines to skip","source.\
quote":"Quotes","source.escape":"Escapes","source.ids":"Ids","source.doneMarker":"Marker of a complete export","source.compression":"Compression","source.cut":"\
Read in parts","source.version":"Version of the file","source.incompleteLastRow":"If the last row is cut off","source.anyVersion":"UUIDs of any version",reason:"\
Reason",actor:"By",deadline:"Deadline",asOf:"As of",rules:"Rule file",rule:"Rule",creatives:"Creatives",force:"Despite its limits",dryRun:"Sends nothing",acceptChange:"\
Differences accepted",maxShift:"Shift of reasons allowed, in percent",maxRemovePercent:"Removals allowed, in percent",maxRejectPercent:"Rejected rows allowed, i\
n percent",maxShrinkPercent:"Shrinking allowed, in percent",maxMalformedPercent:"Unreadable rows allowed, in percent"},Ha=e=>lo[e]??e,Ti=e=>e.replace(/\b[a-z]+(\.[a-zA-Z]+)+ on \/v3\/\S*: /,
"").replace(/\b(?:junk|invalid)\.([a-z0-9_]+)/g,(t,n)=>qa(n)).replace(/(^|[\s(])\/([a-zA-Z]+(?:\/[a-zA-Z]+)*)/g,(t,n,s)=>lo[s.replaceAll("/",".")]?`${n}“${lo[s.
replaceAll("/",".")]}”`:t),gh={act:"acts",approve:"asks first",notify:"notifies",observe:"only records"},ks=e=>gh[e]??e,Yo=/\busher (api|auth|backup|bench|config|console|dead|demo|dev|doctor|feeds|hash|inspect|intake|jobs|lanes|ledger|limits|migrate|restore|rules|run|sandbox|submit|suppress)\b|(^|\s)--[a-z]|\bsubmit (it |the job )?again\b/,
bh=/([;.:] )/;function Zo(e){if(!Yo.test(e))return e;let t=e.replace(/ ?\(([^()]*)\)/g,(o,r)=>Yo.test(r)?"":o).replace(/, see [^,;]*/g,o=>Yo.test(o)?"":o).split(
bh),n="",s=!1;for(let o=0;o<t.length;o+=2)s=Yo.test(t[o])||s&&t[o-1]===": ",s||(n+=(n&&t[o-1])+t[o]);return n.replace(/^(or|and|then) /,"").replace(/[;:.\s]+$/,
"")}var vh=new RegExp(Object.keys(lo).filter(e=>/[.A-Z]/.test(e)).sort((e,t)=>t.length-e.length).map(e=>`(?:--set |--)?\\b${e.replace(".","\\.")}\\b`).join("|"),
"g");function zc(e){let t=[],n=0;for(let s of e.matchAll(vh)){let o=s[0].replace(/^--(set )?/,"");t.push(e.slice(n,s.index),{name:o,title:lo[o]}),n=s.index+s[0].
length}return[...t,e.slice(n)]}var Oc=["cap","approval"],co=e=>e.action==="held"&&Oc.includes(e.guard),_s=e=>e.approvals?.length&&e.state!=="approved"?e.approvals.
at(-1).waiting.length+(e.leftOut?.length??0):e.guards?Oc.reduce((t,n)=>t+(e.guards[n]??0),0):e.counts?.held??0;var Lc=!0;function He({title:e,sub:t,crumb:n,acts:s,children:o}){let r=qt(null);return Ce(()=>{document.title=`${e} · usher`},[e]),Ce(()=>{Lc||(r.current?.focus(
{preventScroll:!0}),Pc()||window.scrollTo(0,0)),Lc=!1},[]),a`<div class="page">
    <div class="head">
      <div class="title">
        ${n&&a`<div class="crumb">${n}</div>`}
        <h1 tabindex="-1" ref=${r}>${e}</h1>
        ${t&&a`<div class="sub">${t}</div>`}
      </div>
      ${s&&a`<div class="acts">${s}</div>`}
    </div>
    ${o}
  </div>`}function Q({title:e,side:t,children:n,flush:s}){return a`<section class="card">
    ${e&&a`<div class="top"><h2>${e}</h2>${t}</div>`}
    <div class=${s?"flush":"body"}>${n}</div>
  </section>`}var wh={done:"good",running:"info",retrying:"warn",queued:"",failed:"bad",cancelled:"",ACTIVE:"good",INACTIVE:"",PENDING:"warn"},Ri=e=>wh[e]??"",na=({
is:e})=>a`<span class="badge ${Ri(e)}" title=${Si[e]?`the platform says ${e}`:We[e]}>${Ut(e)}</span>`,Sn=({kind:e,target:t})=>a`<span title=${e}>${xs(e,t)}</span>`,
Di=new Set;setInterval(()=>Di.forEach(e=>e(ut())),5e3);function Cs(){let[e,t]=z(ut());return Ce(()=>(Di.add(t),()=>Di.delete(t)),[]),Math.max(e,ut()-5e3)}function se({
at:e}){return Cs(),e?a`<time class="nowrap" datetime=${e} title=${It(e)}>${oo(e)}</time>`:a`<span class="faint none">–</span>`}function js({at:e}){let t=Cs();
return a`<time datetime=${e} title=${It(e)}>since <span class="nowrap">${jc(e)}</span>, <span class="nowrap">${oo(e,t).replace(" ago","")}</span></time>`}var Dt=({
text:e})=>a`<span title=${Ti(e)===e?void 0:e}><${Tt} text=${Ti(e)} /></span>`,Me=({title:e,children:t})=>a`<div class="empty"><b>${e}</b>${t}</div>`,nn=()=>a`<div class="loading" role="status" aria-label="Loading"><i></i><i></i><i></i></div>`,
yh=({text:e})=>zc(e).map(t=>t.title?a`<span class="field-name" title=${t.name}>“${t.title}”</span>`:t),xh=({text:e})=>e.split("`").map((t,n)=>n%2?a`<code>${t}</code>`:
a`<${yh} text=${t} />`),Tt=({text:e})=>typeof e=="string"?a`<${xh} text=${Zo(e)||e} />`:e;function aa({text:e,of:t,to:n}){let s=Ln[t],o=typeof e=="string"?Zo(e):
e,r=s&&!(s.then==="Then replay."&&/\breplay\b/i.test(o))&&(o?s.then:s.todo),d=typeof e=="string"&&o!==e;return!o&&!r&&!d?null:a`<div class="hint">${o&&a`<${Tt} text=${o} />`}${o&&
r&&(/[.!?]$/.test(o)?" ":". ")}${r&&a`<${kh} text=${r} to=${n} />`}
    ${d&&a`<details class="small"><summary>In the terminal</summary>${e.split("`").map((c,$)=>$%2?a`<code>${c}</code>`:c)}</details>`}</div>`}var wa=({children:e})=>a`<details class="small"><summary>In the terminal</summary><code>${e}</code></details>`;
function kh({text:e,to:t}){let[n,...s]=e.split("Fix and replay");return!t||s.length===0?e:a`${n}<a href=${t}>Fix and replay</a>${s.join("Fix and replay")}`}function Xt({
says:e,retry:t}){return a`<div class="callout bad" role="alert"><div><div class="says">Loading failed</div><${aa} text=${e} /></div>
    ${t&&a`<button class="small" onClick=${t}>Try again</button>`}</div>`}function he({level:e="",says:t,hint:n,of:s,to:o,where:r,children:d}){let c=a`<div><div class="says"><${Tt} text=${t} /></div>${r?
n&&a`<div class="hint"><${Tt} text=${n} /></div>`:a`<${aa} text=${n} of=${s} to=${o} />`}${d}</div>`;return r?a`<a class="callout ${e}" href=${r}>${c}</a>`:a`<div class="callout ${e}">${c}</div>`}
function ht({result:e,children:t}){return e.data?a`${e.error&&!e.lost&&a`<${Xt} says=${e.error} retry=${e.reload} />`}${t(e.data)}`:e.error?a`<${Xt} says=${e.error} retry=${e.
reload} />`:a`<div class="card"><${nn} /></div>`}var _t=({name:e,value:t,unit:n,note:s,href:o,bad:r,meaning:d})=>{let c=a`<div class="name">${e}</div><div class="value ${r?
"bad-ink":""}">${t}${n&&a` <small>${n}</small>`}</div>${s&&a`<div class="note">${s}</div>`}`;return o?a`<a class="figure" href=${o} title=${d}>${c}</a>`:a`<div class="figure" title=${d}>${c}</div>`};
function Tn({value:e,onText:t,label:n}){let[s,o]=z(e??""),r=qt(0);return Ce(()=>o(e??""),[e]),a`<input type="search" value=${s} placeholder=${n} aria-label=${n} onInput=${d=>{
o(d.target.value),clearTimeout(r.current);let c=d.target.value;r.current=setTimeout(()=>t(c),250)}} />`}var Jn=({value:e,onPick:t,label:n,options:s})=>a`<select aria-label=${n} value=${e??
""} onChange=${o=>t(o.target.value)}>
  ${s.map(([o,r])=>a`<option value=${o} selected=${o===(e??"")}>${r}</option>`)}</select>`,ya=({value:e,onPick:t,options:n,label:s})=>a`<div class="tabs" role="group" aria-label=${s}>
  ${n.map(([o,r,d,c])=>a`<button title=${c} aria-pressed=${o===(e??"")} onClick=${()=>t(o)}>${r}${d!==void 0&&a` <small>${S(d)}</small>`}</button>`)}</div>`;function Ve({
title:e,act:t,dismiss:n="Cancel",danger:s,wide:o,onAct:r,onClose:d,ready:c=!0,children:$}){let w=qt(null),[j,E]=z(!1),[v,R]=z("");return Ce(()=>{let J=document.
activeElement,ie=w.current;return ie.showModal(),(ie.querySelector("[data-first]")??ie.querySelector("input,textarea,select"))?.focus(),()=>{ie.close(),J?.focus?.()}},
[]),a`<dialog ref=${w} class=${o?"wide":""} aria-label=${e} onCancel=${J=>{J.preventDefault(),d()}}
      onMouseDown=${J=>J.target===w.current&&d()}>
    <form onSubmit=${async J=>{if(J.preventDefault(),!(j||!c)){E(!0),R("");try{await r(),d()}catch(ie){R(ie.message),E(!1)}}}}>
      <header><h2>${e}</h2></header>
      <div class="inside">${$}${v&&a`<div class="callout bad" role="alert"><${aa} text=${v} /></div>`}</div>
      <footer>
        <button type="button" onClick=${d}>${t?n:"Close"}</button>
        ${t&&a`<button type="submit" class=${s?"danger solid":"primary"} disabled=${j||!c}>${j?"…":t}</button>`}
      </footer>
    </form>
  </dialog>`}var ze=({name:e,hint:t,children:n})=>a`<label class="field"><span>${e}</span>${n}${t&&a`<small>${t}</small>`}</label>`,Fc=()=>{},Je=(e,t)=>Fc({text:Zo(
e)||e,bad:t,key:Math.random()});function Nc(){let[e,t]=z([]);return Fc=n=>{t(s=>[...s.slice(-3),n]),setTimeout(()=>t(s=>s.filter(o=>o!==n)),n.bad?9e3:5e3)},a`<div class="toasts" role="status" aria-live="polite">${e.
map(n=>a`<div class="toast ${n.bad?"bad":""}" key=${n.key}>${n.text}</div>`)}</div>`}var Wc=(e,t)=>{try{localStorage.setItem(e,t)}catch{}},Ai=e=>{try{return localStorage.getItem(e)}catch{return null}},qc="(prefers-color-scheme: dark)",Ss=()=>(document.
documentElement.dataset.theme??(matchMedia(qc).matches?"dark":"light"))==="dark";function Qo(e){let t=matchMedia(qc);return t.addEventListener("change",e),window.
addEventListener("theme",e),()=>{t.removeEventListener("change",e),window.removeEventListener("theme",e)}}function Hc(e){document.documentElement.dataset.theme=
e,window.dispatchEvent(new Event("theme"))}function Ts(){let e=Ss()?"light":"dark";Hc(e),Wc("theme",e)}var Xo=()=>document.documentElement.dataset.rows==="compa\
ct";function Uc(e){e?document.documentElement.dataset.rows="compact":delete document.documentElement.dataset.rows}function er(){Uc(!Xo()),Wc("rows",Xo()?"compac\
t":"roomy")}function Bc(){Ai("theme")&&Hc(Ai("theme")),Uc(Ai("rows")==="compact")}var _h=12,xa=e=>()=>{location.hash=e},Ch=e=>[...ro.map(([t,n,s])=>({name:s,kind:"page",key:`g ${t}`,act:xa("#/"+n)})),{name:"Backtest of rules",kind:"page",act:xa(
"#/rules/backtest")},{name:"Failed jobs",kind:"page",act:xa("#/jobs?state=failed")},{name:"Audiences with problems",kind:"page",act:xa("#/audiences?only=problem\
s")},{name:Ss()?"Light colours":"Dark colours",kind:"setting",key:"t",act:Ts},{name:jn()?"Times in this computer's zone":"Times in UTC",kind:"setting",key:"d",act:()=>vs(
!jn())},{name:Xo()?"Roomy rows":"Compact rows",kind:"setting",key:"z",act:er},{name:"Keys",kind:"help",key:"?",act:e}];function Jc({onClose:e,onHelp:t}){let n=qt(
null),[s,o]=z(""),[r,d]=z(0),[c,$]=z([]);Ce(()=>{let v=document.activeElement;return n.current.showModal(),On("/api/audiences").then(({audiences:R})=>$(U=>[...U,
...R.map(J=>({name:J.target,kind:"audience",act:xa(oe("audiences",J.target))}))]),()=>{}),On("/api/campaigns").then(({campaigns:R})=>$(U=>[...U,...R.map(J=>({name:J.
code,kind:"campaign",act:xa(oe("campaigns",J.code))}))]),()=>{}),()=>v?.isConnected&&v.focus?.({preventScroll:!0})},[]);let w=Yt(()=>{let v=s.toLowerCase().split(
/\s+/).filter(Boolean),R=[...Ch(t),...c].filter(U=>v.every(J=>`${U.name} ${U.kind}`.toLowerCase().includes(J))).slice(0,_h);return/^\S+$/.test(s.trim())&&R.push(
{name:`Open the job ${s.trim()}`,kind:"job",act:xa(oe("jobs",s.trim()))}),s.trim()&&R.push({name:`Search jobs for “${s.trim()}”`,kind:"search",act:xa("#/job\
s?text="+encodeURIComponent(s.trim()))}),R},[s,c]),j=v=>{e(),v?.act()},E=v=>{let R={ArrowDown:1,ArrowUp:-1}[v.key];R&&(v.preventDefault(),d((r+R+w.length)%w.length)),
v.key==="Enter"&&(v.preventDefault(),j(w[r]))};return a`<dialog ref=${n} class="palette" aria-label="Find" onCancel=${v=>{v.preventDefault(),e()}} onMouseDown=${v=>v.
target===n.current&&e()}>
    <input type="text" role="combobox" aria-expanded="true" aria-controls="found" aria-activedescendant=${`found-${r}`} aria-label="Find a page, an audience, a campaign or a job" placeholder="Find a page, an audience, a campaign or a job …"
      autofocus value=${s} onInput=${v=>{o(v.target.value),d(0)}} onKeyDown=${E} />
    <ul role="listbox" id="found" aria-label="Found">${w.map((v,R)=>a`<li role="option" id=${`found-${R}`} aria-selected=${R===r} onMouseMove=${()=>d(R)} onClick=${()=>j(
v)}><span>${v.name}</span><span class="faint small">${v.key?a`<kbd>${v.key}</kbd>`:v.kind}</span></li>`)}</ul>
  </dialog>`}var jh=/Mac|iPhone|iPad/.test(navigator.platform),Sh=[[jh?"⌘ K":"Ctrl K","Find a page, an audience, a campaign or a job"],["/","Search on this page"],["j  k",
"Next and previous row"],["Enter","Open the row"],["x","Select the row"],["Esc","Close what is open"],...ro.map(([e,,t])=>[`g ${e}`,t]),["z","Compact rows, or r\
oomy ones"],["t","Light or dark colours"],["d","Times in UTC, or in this computer's zone"],["?","These keys"]],Th=e=>e.target.closest?.("input:not([type=checkbo\
x]), textarea, select, [contenteditable]"),Dh=()=>[...document.querySelectorAll("main tbody tr, main .incident")].filter(e=>e.offsetParent!==null);function Kc(e){
let t=Dh();if(t.length===0)return;let n=t.findIndex(r=>r.classList.contains("at")),s=t[n<0?e>0?0:t.length-1:Math.min(Math.max(n+e,0),t.length-1)];t.forEach(r=>r.
classList.toggle("at",r===s)),(s.querySelector("a.id, button.id")??s.querySelector("a, button"))?.focus({preventScroll:!0}),s.scrollIntoView({block:"nearest"})}
var Rh=()=>document.querySelector("main .at input[type=checkbox]")?.click(),Ah=()=>document.querySelector("main input[type=search]")?.focus();function Gc(){let[
e,t]=z("");Ce(()=>{let s=0,o=r=>{if((r.ctrlKey||r.metaKey)&&!r.altKey&&r.key.toLowerCase()==="k"){r.preventDefault(),t("palette");return}if(r.ctrlKey||r.metaKey||
r.altKey||Th(r)||document.querySelector("dialog[open]"))return;let d=Date.now()-s<1500&&ro.find(([$])=>$===r.key);if(s=0,d){location.hash="#/"+d[1];return}let c={
g:()=>{s=Date.now()},"/":Ah,"?":()=>t("help"),j:()=>Kc(1),k:()=>Kc(-1),x:Rh,z:er,t:Ts,d:()=>vs(!jn())}[r.key];c&&(r.preventDefault(),c())};return window.addEventListener(
"keydown",o),()=>window.removeEventListener("keydown",o)},[]);let n=()=>t("");return e==="palette"?a`<${Jc} onClose=${n} onHelp=${()=>t("help")} />`:e==="help"&&
a`<${Ve} title="Keys" onClose=${n}><dl class="facts keys">${Sh.map(([s,o])=>a`<dt><kbd>${s}</kbd></dt><dd>${o}</dd>`)}</dl><//>`}function Yc(e){let[t,n]=z(Date.now());Ce(()=>{let U=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(U)},[]);let{state:s,heard:o,cut:r}=Vo(),d=(s?.services??
[]).filter(U=>U.since),[c="",$]=e,w=c===""||c==="jobs"&&!$,j=c==="campaigns"?["NATS","Platform"]:["NATS"],E=d.filter(U=>j.includes(U.name)),v=s&&new Date(w&&!s.
figures.startsWith("0001")?s.figures:E.length?E[0].since:s.at),R=v?(new Date(s.at)-v+t-o)/1e3:0;return{state:s,lost:d,cut:r,heard:o,asOf:v,age:Math.max(0,R),stale:r||
E.length>0,well:!r&&d.length===0}}function Zc({status:{state:e,lost:t,cut:n,heard:s,asOf:o,age:r,stale:d}}){if(!e)return a`<div class="status"><span class="faint">${n?
"usher does not respond":"Connecting …"}</span></div>`;let c=t.some(w=>w.name==="NATS"),$=w=>n||c&&w.name==="NATS writes"?"":w.since?"off":"on";return a`<div class="status">
      ${e.services.map(w=>a`<span key=${w.name} class="service ${$(w)}"><i></i>${w.name}<span class="sr">${{on:" works",off:" is lost"}[$(w)]??" unknown"}</span></span>`)}
      <span class="nowrap">${F(e.workers,"worker")}${e.workers>0&&a`, <span title="when the worker that was silent for longest sent its heartbeat">heard ${Math.
round(e.oldest)} s ago</span>`}</span>
      <span class="asof nowrap" title=${o&&It(o)}>as of ${d?ln(o):Math.round(r)+" s"}</span>
    </div>
    <div class="lost" role="alert">
      ${n&&a`<${Vc} key="page" says=${`This page has no connection to usher since ${ln(s)}; figures are from ${ln(Math.min(s,o))}.`}
        hint="It connects again by itself. If it does not: is usher running, and can this computer reach it?" />`}
      ${!n&&t.map(w=>a`<${Vc} key=${w.name} hint=${w.hint} why=${w.why}
        says=${`${w.says} since ${ln(w.since)}${d?`; figures are from ${ln(o)}`:""}.`} />`)}
    </div>`}var Vc=({says:e,why:t,hint:n})=>a`<div class="callout bad"><div><div class="says">${e}</div><${aa} text=${n} />${t&&a`<div class="faint small"><${Dt} text=${t} /></div>`}</div></div>`;function Xc({onIn:e}){let[t,n]=z(""),[s,o]=z(!1),[r,d]=z(""),[c,$]=z(""),w=pt.ways??[],j=async(v,R)=>{o(!0),n("");try{await Ie(v,R),await e()}catch(U){n(U.message),
o(!1)}},E=()=>{let{names:v}=Wa();return v[0]!=="login"||!v[1]?!1:(history.replaceState(null,"","#/"),window.dispatchEvent(new Event("hashchange")),j("/api/login\
/link",{Token:v[1]}),!0)};return Ce(()=>(document.title="Log in · usher",window.addEventListener("hashchange",E),!E()&&w.includes("proxy")&&j("/api/login/proxy",
{}),pt.ways?.length||ao().catch(v=>n(v.message)),()=>window.removeEventListener("hashchange",E)),[]),a`<div class="login"><div class="box">
    <div class="brand">${cn.brand}usher</div>
    ${w.includes("password")&&a`<form onSubmit=${v=>{v.preventDefault(),j("/api/login",{User:r,Password:c})}}>
      <${ze} name="Name"><input type="text" autocomplete="username" required autofocus value=${r} onInput=${v=>d(v.target.value)} /><//>
      <${ze} name="Password"><input type="password" autocomplete="current-password" required value=${c} onInput=${v=>$(v.target.value)} /><//>
      <button class="primary" disabled=${s}>${s?"Logging in …":"Log in"}</button>
    </form>`}
    ${w.includes("link")&&a`<p class="soft">${s?"Logging in …":"Open the link that usher printed when it started. It logs in one browser, once; the next link \
is in usher's log."}</p>`}
    ${w.includes("proxy")&&a`<button disabled=${s} onClick=${()=>j("/api/login/proxy",{})}>Log in through the proxy</button>`}
    ${t&&a`<div class="callout bad" role="alert"><div>${t}</div></div>`}
  </div></div>`}var Mh=(function(){"use strict";let e="u-off",t="u-label",n="width",s="height",r="bottom",d="left",c="right",$="#000",w=$+"0",j="mousemove",E="mousedown",v="mou\
seup",R="mouseenter",U="mouseleave",J="dblclick",ie="change",ye="dppxchange",de="--",tt=typeof window<"u",Pe=tt?document:null,Ke=tt?window:null,re=tt?navigator:
null,be,un;function zt(i,u){if(u!=null){let m=i.classList;!m.contains(u)&&m.add(u)}}function an(i,u){let m=i.classList;m.contains(u)&&m.remove(u)}function Le(i,u,m){
i.style[u]=m+"px"}function Dn(i,u,m,p){let g=Pe.createElement(i);return u!=null&&zt(g,u),m?.insertBefore(g,p),g}function vn(i,u){return Dn("div",i,u)}let al=new WeakMap;
function Fn(i,u,m,p,g){let k="translate("+u+"px,"+m+"px)";k!=al.get(i)&&(i.style.transform=k,al.set(i,k),0>u||0>m||u>p||m>g?zt(i,e):an(i,e))}let sl=new WeakMap;
function ol(i,u,m){let p=u+m;p!=sl.get(i)&&(sl.set(i,p),i.style.background=u,i.style.borderColor=m)}let rl=new WeakMap;function il(i,u,m,p){let g=u+""+m;g!=rl.get(
i)&&(rl.set(i,g),i.style.height=m+"px",i.style.width=u+"px",i.style.marginLeft=p?-u/2+"px":0,i.style.marginTop=p?-m/2+"px":0)}let fr={passive:!0},Qu={...fr,capture:!0};
function ja(i,u,m,p){u.addEventListener(i,m,p?Qu:fr)}function mr(i,u,m){u.removeEventListener(i,m,fr)}function Rn(i,u,m,p){let g;m=m||0;let k=2147483647>=(p=p||
u.length-1);for(;p-m>1;)g=k?m+p>>1:hn((m+p)/2),i>u[g]?m=g:p=g;return i-u[m]>u[p]-i?p:m}function ll(i){return(u,m,p)=>{let g=-1,k=-1;for(let y=m;p>=y;y++)if(i(u[y])){
g=y;break}for(let y=p;y>=m;y--)if(i(u[y])){k=y;break}return[g,k]}}tt&&(function i(){let u=devicePixelRatio;be!=u&&(be=u,un&&mr(ie,un,i),un=matchMedia(`(min-reso\
lution: ${be-.001}dppx) and (max-resolution: ${be+.001}dppx)`),ja(ie,un,i),Ke.dispatchEvent(new CustomEvent(ye)))})();let dl=i=>i!=null,cl=i=>i!=null&&i>0,mo=ll(
dl),ep=ll(cl);function $o(i,u,m,p){let g=hl(i),k=hl(u);i==u&&(g==-1?(i*=m,u/=m):(i/=m,u*=m));let y=m==10?Kn:fl,T=k==1?wn:hn,A=(g==1?hn:wn)(y(Ct(i))),D=T(y(Ct(u))),
P=Ga(m,A),_=Ga(m,D);return m==10&&(0>A&&(P=Ze(P,-A)),0>D&&(_=Ze(_,-D))),p||m==2?(i=P*g,u=_*k):(i=yl(i,P),u=vo(u,_)),[i,u]}function $r(i,u,m,p){let g=$o(i,u,m,p);
return i==0&&(g[0]=0),u==0&&(g[1]=0),g}let gr=.1,ul={mode:3,pad:gr},Ns={pad:0,soft:null,mode:0},tp={min:Ns,max:Ns};function go(i,u,m,p){return wo(m)?pl(i,u,m):(Ns.
pad=m,Ns.soft=p?0:null,Ns.mode=p?3:0,pl(i,u,tp))}function Fe(i,u){return i??u}function pl(i,u,m){let p=m.min,g=m.max,k=Fe(p.pad,0),y=Fe(g.pad,0),T=Fe(p.hard,-Ye),
A=Fe(g.hard,Ye),D=Fe(p.soft,Ye),P=Fe(g.soft,-Ye),_=Fe(p.mode,0),W=Fe(g.mode,0),Z=u-i,B=Kn(Z),Y=en(Ct(i),Ct(u)),ve=Kn(Y),ce=Ct(ve-B);(1e-24>Z||ce>10)&&(Z=0,i!=0&&
u!=0||(Z=1e-24,_==2&&D!=Ye&&(k=0),W==2&&P!=-Ye&&(y=0)));let q=Z||Y||1e3,$e=Kn(q),G=Ga(10,hn($e)),ee=Ze(yl(i-q*(Z==0?i==0?.1:1:k),G/10),24),K=D>i||_!=1&&(_!=3||ee>
D)&&(_!=2||D>ee)?Ye:D,xe=en(T,K>ee&&i>=K?K:An(K,ee)),ke=Ze(vo(u+q*(Z==0?u==0?.1:1:y),G/10),24),Se=u>P||W!=1&&(W!=3||P>ke)&&(W!=2||ke>P)?-Ye:P,Re=An(A,ke>Se&&Se>=
u?Se:en(Se,ke));return xe==Re&&xe==0&&(Re=100),[xe,Re]}let np=new Intl.NumberFormat(tt?re.language:"en-US"),br=i=>np.format(i),pn=Math,bo=pn.PI,Ct=pn.abs,hn=pn.
floor,jt=pn.round,wn=pn.ceil,An=pn.min,en=pn.max,Ga=pn.pow,hl=pn.sign,Kn=pn.log10,fl=pn.log2,vr=(i,u=1)=>pn.asinh(i/u),Ye=1/0;function ml(i){return 1+(0|Kn((i^i>>
31)-(i>>31)))}function wr(i,u,m){return An(en(i,u),m)}function $l(i){return typeof i=="function"}function Ee(i){return $l(i)?i:()=>i}let gl=i=>i,bl=(i,u)=>u,ap=()=>null,
vl=()=>!0,wl=(i,u)=>i==u,sp=/\.\d*?(?=9{6,}|0{6,})/gm,Sa=i=>{if(kl(i)||oa.has(i))return i;let u=""+i,m=u.match(sp);if(m==null)return i;let p=m[0].length-1;if(u.
indexOf("e-")!=-1){let[g,k]=u.split("e");return+`${Sa(g)}e${k}`}return Ze(i,p)};function Ta(i,u){return Sa(Ze(Sa(i/u))*u)}function vo(i,u){return Sa(wn(Sa(i/u))*
u)}function yl(i,u){return Sa(hn(Sa(i/u))*u)}function Ze(i,u=0){if(kl(i))return i;let m=10**u;return jt(i*m*(1+Number.EPSILON))/m}let oa=new Map;function xl(i){
return((""+i).split(".")[1]||"").length}function Ws(i,u,m,p){let g=[],k=p.map(xl);for(let y=u;m>y;y++){let T=Ct(y),A=Ze(Ga(i,y),T);for(let D=0;p.length>D;D++){let P=i==
10?+`${p[D]}e${y}`:p[D]*A,_=(0>y?T:0)+(k[D]>y?k[D]:0),W=i==10?P:Ze(P,_);g.push(W),oa.set(W,_)}}return g}let qs={},yr=[],Va=[null,null],ra=Array.isArray,kl=Number.
isInteger;function _l(i){return typeof i=="string"}function wo(i){let u=!1;if(i!=null){let m=i.constructor;u=m==null||m==Object}return u}function op(i){return i!=
null&&typeof i=="object"}let rp=Object.getPrototypeOf(Uint8Array),Cl="__proto__";function Ya(i,u=wo){let m;if(ra(i)){let p=i.find((g=>g!=null));if(ra(p)||u(p)){
m=Array(i.length);for(let g=0;i.length>g;g++)m[g]=Ya(i[g],u)}else m=i.slice()}else if(i instanceof rp)m=i.slice();else if(u(i)){m={};for(let p in i)p!=Cl&&(m[p]=
Ya(i[p],u))}else m=i;return m}function wt(i){let u=arguments;for(let m=1;u.length>m;m++){let p=u[m];for(let g in p)g!=Cl&&(wo(i[g])?wt(i[g],Ya(p[g])):i[g]=Ya(p[g]))}
return i}function ip(i,u,m){for(let p,g=0,k=-1;u.length>g;g++){let y=u[g];if(y>k){for(p=y-1;p>=0&&i[p]==null;)i[p--]=null;for(p=y+1;m>p&&i[p]==null;)i[k=p++]=null}}}
let lp=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask,jl=["January","February","March","April","May","June","July","August","September","\
October","November","December"],Sl=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Tl(i){return i.slice(0,3)}let dp=Sl.map(Tl),
cp=jl.map(Tl),up={MMMM:jl,MMM:cp,WWWW:Sl,WWW:dp};function Hs(i){return(10>i?"0":"")+i}let pp={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,u)=>u.
MMMM[i.getMonth()],MMM:(i,u)=>u.MMM[i.getMonth()],MM:i=>Hs(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>Hs(i.getDate()),D:i=>i.getDate(),WWWW:(i,u)=>u.WWWW[i.getDay()],
WWW:(i,u)=>u.WWW[i.getDay()],HH:i=>Hs(i.getHours()),H:i=>i.getHours(),h:i=>{let u=i.getHours();return u==0?12:u>12?u-12:u},AA:i=>12>i.getHours()?"AM":"PM",aa:i=>12>
i.getHours()?"am":"pm",a:i=>12>i.getHours()?"a":"p",mm:i=>Hs(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>Hs(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>(function(u){
return(10>u?"00":100>u?"0":"")+u})(i.getMilliseconds())};function xr(i,u){u=u||up;let m,p=[],g=/\{([a-z]+)\}|[^{]+/gi;for(;m=g.exec(i);)p.push(m[0][0]=="{"?pp[m[1]]:
m[0]);return k=>{let y="";for(let T=0;p.length>T;T++)y+=typeof p[T]=="string"?p[T]:p[T](k,u);return y}}let hp=new Intl.DateTimeFormat().resolvedOptions().timeZone,
Dl=i=>i%1==0,yo=[1,2,2.5,5],fp=Ws(10,-32,0,yo),Rl=Ws(10,0,32,yo),mp=Rl.filter(Dl),Da=fp.concat(Rl),Al="{YYYY}",Ml=`
`+Al,El="{M}/{D}",Us=`
`+El,xo=Us+"/{YY}",Pl="{aa}",Za="{h}:{mm}"+Pl,Il=`
`+Za,zl=":{ss}",Ue=null;function Ol(i){let u=1e3*i,m=60*u,p=60*m,g=24*p,k=30*g,y=365*g;return[(i==1?Ws(10,0,3,yo).filter(Dl):Ws(10,-3,0,yo)).concat([u,5*u,10*u,
15*u,30*u,m,5*m,10*m,15*m,30*m,p,2*p,3*p,4*p,6*p,8*p,12*p,g,2*g,3*g,4*g,5*g,6*g,7*g,8*g,9*g,10*g,15*g,k,2*k,3*k,4*k,6*k,y,2*y,5*y,10*y,25*y,50*y,100*y]),[[y,Al,
Ue,Ue,Ue,Ue,Ue,Ue,1],[28*g,"{MMM}",Ml,Ue,Ue,Ue,Ue,Ue,1],[g,El,Ml,Ue,Ue,Ue,Ue,Ue,1],[p,"{h}"+Pl,xo,Ue,Us,Ue,Ue,Ue,1],[m,Za,xo,Ue,Us,Ue,Ue,Ue,1],[u,zl,xo+" "+Za,Ue,
Us+" "+Za,Ue,Il,Ue,1],[i,zl+".{fff}",xo+" "+Za,Ue,Us+" "+Za,Ue,Il,Ue,1]],function(T){return(A,D,P,_,W,Z)=>{let B=[],Y=W>=y,ve=W>=k&&y>W,ce=T(P),q=Ze(ce*i,3),$e=kr(
ce.getFullYear(),Y?0:ce.getMonth(),ve||Y?1:ce.getDate()),G=Ze($e*i,3);if(ve||Y){let ee=ve?W/k:0,K=Y?W/y:0,xe=q==G?q:Ze(kr($e.getFullYear()+K,$e.getMonth()+ee,1)*
i,3),ke=new Date(jt(xe/i)),Se=ke.getFullYear(),Re=ke.getMonth();for(let X=0;_>=xe;X++){let ae=kr(Se+K*X,Re+ee*X,1),fe=ae-T(Ze(ae*i,3));xe=Ze((+ae+fe)*i,3),xe>_||
B.push(xe)}}else{let ee=g>W?W:g,K=G+(hn(P)-hn(q))+vo(q-G,ee);B.push(K);let xe=T(K),ke=xe.getHours()+xe.getMinutes()/m+xe.getSeconds()/p,Se=W/p,Re=Z/A.axes[D]._space;
for(;K=Ze(K+W,i==1?0:3),_>=K;)if(Se>1){let X=hn(Ze(ke+Se,6))%24,ae=T(K).getHours()-X;ae>1&&(ae=-1),K-=ae*p,ke=(ke+Se)%24,.7>Ze((K-B[B.length-1])/W,3)*Re||B.push(
K)}else B.push(K)}return B}}]}let[$p,gp,bp]=Ol(1),[vp,wp,yp]=Ol(.001);function Ll(i,u){return i.map((m=>m.map(((p,g)=>g==0||g==8||p==null?p:u(g==1||m[8]==0?p:m[1]+
p)))))}function Fl(i,u){return(m,p,g,k,y)=>{let T,A,D,P,_,W,Z=u.find((B=>y>=B[0]))||u[u.length-1];return p.map((B=>{let Y=i(B),ve=Y.getFullYear(),ce=Y.getMonth(),
q=Y.getDate(),$e=Y.getHours(),G=Y.getMinutes(),ee=Y.getSeconds(),K=ve!=T&&Z[2]||ce!=A&&Z[3]||q!=D&&Z[4]||$e!=P&&Z[5]||G!=_&&Z[6]||ee!=W&&Z[7]||Z[1];return T=ve,
A=ce,D=q,P=$e,_=G,W=ee,K(Y)}))}}function kr(i,u,m){return new Date(i,u,m)}function Nl(i,u){return u(i)}function Wl(i,u){return(m,p,g,k)=>k==null?de:u(i(p))}Ws(2,
-53,53,[1]);let xp={show:!0,live:!0,isolate:!1,mount:()=>{},markers:{show:!0,width:2,stroke:function(i,u){let m=i.series[u];return m.width?m.stroke(i,u):m.points.
width?m.points.stroke(i,u):null},fill:function(i,u){return i.series[u].fill(i,u)},dash:"solid"},idx:null,idxs:null,values:[]},_r=[0,0];function ko(i,u,m,p=!0){return g=>{
g.button==0&&(!p||g.target==u)&&m(g)}}function Cr(i,u,m,p=!0){return g=>{(!p||g.target==u)&&m(g)}}let kp={show:!0,x:!0,y:!0,lock:!1,move:function(i,u,m){return _r[0]=
u,_r[1]=m,_r},points:{one:!1,show:function(i,u){let m=i.cursor.points,p=vn(),g=m.size(i,u);Le(p,n,g),Le(p,s,g);let k=g/-2;Le(p,"marginLeft",k),Le(p,"marginTop",
k);let y=m.width(i,u,g);return y&&Le(p,"borderWidth",y),p},size:function(i,u){return i.series[u].points.size},width:0,stroke:function(i,u){let m=i.series[u].points;
return m._stroke||m._fill},fill:function(i,u){let m=i.series[u].points;return m._fill||m._stroke}},bind:{mousedown:ko,mouseup:ko,click:ko,dblclick:ko,mousemove:Cr,
mouseleave:Cr,mouseenter:Cr},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,u)=>{u.stopPropagation(),u.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,u,m,p,g)=>p-
g,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},ql={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},
jr=wt({},ql,{filter:bl}),Hl=wt({},jr,{size:10}),Ul=wt({},ql,{show:!1}),Sr='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto San\
s", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Bl="bold "+Sr,Jl={show:!0,scale:"x",stroke:$,space:50,gap:5,alignTo:1,
size:50,labelGap:0,labelSize:30,labelFont:Bl,side:2,grid:jr,ticks:Hl,border:Ul,font:Sr,lineGap:1.5,rotate:0},Kl={show:!0,scale:"x",auto:!1,sorted:1,min:Ye,max:-Ye,
idxs:[]};function _p(i,u){return u.map((m=>m==null?"":br(m)))}function Cp(i,u,m,p,g,k,y){let T=[],A=oa.get(g)||0;for(let D=m=y?m:Ze(vo(m,g),A);p>=D;D=Ze(D+g,A))
T.push(Object.is(D,-0)?0:D);return T}function Tr(i,u,m,p,g){let k=[],y=i.scales[i.axes[u].scale].log,T=hn((y==10?Kn:fl)(m));g=Ga(y,T),y==10&&(g=Da[Rn(g,Da)]);let A=m,
D=g*y;y==10&&(D=Da[Rn(D,Da)]);do k.push(A),A+=g,y!=10||oa.has(A)||(A=Ze(A,oa.get(g))),D>A||(D=(g=A)*y,y==10&&(D=Da[Rn(D,Da)]));while(p>=A);return k}function jp(i,u,m,p,g){
let k=i.scales[i.axes[u].scale].asinh,y=p>k?Tr(i,u,en(k,m),p,g):[k],T=0>p||m>0?[]:[0];return(-k>m?Tr(i,u,en(k,-p),-m,g):[k]).reverse().map((A=>-A)).concat(T,y)}
let Gl=/./,Sp=/[12357]/,Tp=/[125]/,Vl=/1/,Dr=(i,u,m,p)=>i.map(((g,k)=>u==4&&g==0||k%p==0&&m.test(g.toExponential()[0>g?1:0])?g:null));function Dp(i,u,m){let p=i.
axes[m],g=p.scale,k=i.scales[g],y=i.valToPos,T=p._space,A=y(10,g),D=y(9,g)-A<T?y(7,g)-A<T?y(5,g)-A<T?Vl:Tp:Sp:Gl;if(D==Vl){let P=Ct(y(1,g)-A);if(T>P)return Dr(u.
slice().reverse(),k.distr,D,wn(T/P)).reverse()}return Dr(u,k.distr,D,1)}function Rp(i,u,m){let p=i.axes[m],g=p.scale,k=p._space,y=i.valToPos,T=Ct(y(1,g)-y(2,g));
return k>T?Dr(u.slice().reverse(),3,Gl,wn(k/T)).reverse():u}function Ap(i,u,m,p){return p==null?de:u==null?"":br(u)}let Yl={show:!0,scale:"y",stroke:$,space:30,
gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Bl,side:3,grid:jr,ticks:Hl,border:Ul,font:Sr,lineGap:1.5,rotate:0},Zl={scale:null,auto:!0,sorted:0,min:Ye,
max:-Ye},Xl=(i,u,m,p,g)=>g,Ql={show:!0,auto:!0,sorted:0,gaps:Xl,alpha:1,facets:[wt({},Zl,{scale:"x"}),wt({},Zl,{scale:"y"})]},ed={scale:"y",auto:!0,sorted:0,show:!0,
spanGaps:!1,gaps:Xl,alpha:1,points:{show:function(i,u){let{scale:m,idxs:p}=i.series[0],g=i._data[0],k=i.valToPos(g[p[0]],m,!0),y=i.valToPos(g[p[1]],m,!0);return Ct(
y-k)/(i.series[u].points.space*be)>=p[1]-p[0]},filter:null},values:null,min:Ye,max:-Ye,idxs:[],path:null,clip:null};function Mp(i,u,m){return m/10}let td={time:!0,
auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},Ep=wt({},td,{time:!1,ori:1}),nd={};function ad(i){let u=nd[i];return u||(u={key:i,plots:[],sub(m){
u.plots.push(m)},unsub(m){u.plots=u.plots.filter((p=>p!=m))},pub(m,p,g,k,y,T,A){for(let D=0;u.plots.length>D;D++)u.plots[D]!=p&&u.plots[D].pub(m,p,g,k,y,T,A)}},
i!=null&&(nd[i]=u)),u}function Ra(i,u,m){let p=i.mode,g=i.series[u],k=p==2?i._data[u]:i._data,y=i.scales,T=i.bbox,A=k[0],D=p==2?k[1]:k[u],P=p==2?y[g.facets[0].scale]:
y[i.series[0].scale],_=p==2?y[g.facets[1].scale]:y[g.scale],W=T.left,Z=T.top,B=T.width,Y=T.height,ve=i.valToPosH,ce=i.valToPosV;return P.ori==0?m(g,A,D,P,_,ve,ce,
W,Z,B,Y,Co,Xa,So,rd,ld):m(g,A,D,P,_,ce,ve,Z,W,Y,B,jo,Qa,Mr,id,dd)}function Rr(i,u){let m=0,p=0,g=Fe(i.bands,yr);for(let k=0;g.length>k;k++){let y=g[k];y.series[0]==
u?m=y.dir:y.series[1]==u&&(p|=y.dir==1?1:2)}return[m,p==1?-1:p==2?1:p==3?2:0]}function Pp(i,u,m,p,g){let k=i.series[u],y=i.scales[i.mode==2?k.facets[1].scale:k.
scale];return g==-1?y.min:g==1?y.max:y.distr==3?y.dir==1?y.min:y.max:0}function Gn(i,u,m,p,g,k){return Ra(i,u,((y,T,A,D,P,_,W,Z,B,Y,ve)=>{let ce=y.pxRound,q=D.ori==
0?Xa:Qa,$e,G;D.dir*(D.ori==0?1:-1)==1?($e=m,G=p):($e=p,G=m);let ee=ce(_(T[$e],D,Y,Z)),K=ce(W(A[$e],P,ve,B)),xe=ce(_(T[G],D,Y,Z)),ke=ce(W(k==1?P.max:P.min,P,ve,B)),
Se=new Path2D(g);return q(Se,xe,ke),q(Se,ee,ke),q(Se,ee,K),Se}))}function _o(i,u,m,p,g,k){let y=null;if(i.length>0){y=new Path2D;let T=u==0?So:Mr,A=m;for(let _=0;i.
length>_;_++){let W=i[_];if(W[1]>W[0]){let Z=W[0]-A;Z>0&&T(y,A,p,Z,p+k),A=W[1]}}let D=m+g-A,P=10;D>0&&T(y,A,p-P/2,D,p+k+P)}return y}function Ar(i,u,m,p,g,k,y){let T=[],
A=i.length;for(let D=g==1?m:p;D>=m&&p>=D;D+=g)if(u[D]===null){let P=D,_=D;if(g==1)for(;++D<=p&&u[D]===null;)_=D;else for(;--D>=m&&u[D]===null;)_=D;let W=k(i[P]),
Z=_==P?W:k(i[_]),B=P-g;W=y>0||0>B||B>=A?W:k(i[B]);let Y=_+g;Z=0>y||0>Y||Y>=A?Z:k(i[Y]),W>Z||T.push([W,Z])}return T}function sd(i){return i==0?gl:i==1?jt:u=>Ta(u,
i)}function od(i){let u=i==0?Co:jo,m=i==0?(g,k,y,T,A,D)=>{g.arcTo(k,y,T,A,D)}:(g,k,y,T,A,D)=>{g.arcTo(y,k,A,T,D)},p=i==0?(g,k,y,T,A)=>{g.rect(k,y,T,A)}:(g,k,y,T,A)=>{
g.rect(y,k,A,T)};return(g,k,y,T,A,D=0,P=0)=>{D==0&&P==0?p(g,k,y,T,A):(D=An(D,T/2,A/2),P=An(P,T/2,A/2),u(g,k+D,y),m(g,k+T,y,k+T,y+A,D),m(g,k+T,y+A,k,y+A,P),m(g,k,
y+A,k,y,P),m(g,k,y,k+T,y,D),g.closePath())}}let Co=(i,u,m)=>{i.moveTo(u,m)},jo=(i,u,m)=>{i.moveTo(m,u)},Xa=(i,u,m)=>{i.lineTo(u,m)},Qa=(i,u,m)=>{i.lineTo(m,u)},
So=od(0),Mr=od(1),rd=(i,u,m,p,g,k)=>{i.arc(u,m,p,g,k)},id=(i,u,m,p,g,k)=>{i.arc(m,u,p,g,k)},ld=(i,u,m,p,g,k,y)=>{i.bezierCurveTo(u,m,p,g,k,y)},dd=(i,u,m,p,g,k,y)=>{
i.bezierCurveTo(m,u,g,p,y,k)};function cd(){return(i,u,m,p,g)=>Ra(i,u,((k,y,T,A,D,P,_,W,Z,B,Y)=>{let ve,ce,{pxRound:q,points:$e}=k;A.ori==0?(ve=Co,ce=rd):(ve=jo,
ce=id);let G=Ze($e.width*be,3),ee=($e.size-$e.width)/2*be,K=Ze(2*ee,3),xe=new Path2D,ke=new Path2D,{left:Se,top:Re,width:X,height:ae}=i.bbox;So(ke,Se-K,Re-K,X+2*
K,ae+2*K);let fe=Ne=>{if(T[Ne]!=null){let ue=q(P(y[Ne],A,B,W)),Ae=q(_(T[Ne],D,Y,Z));ve(xe,ue+ee,Ae),ce(xe,ue,Ae,ee,0,2*bo)}};if(g)g.forEach(fe);else for(let Ne=m;p>=
Ne;Ne++)fe(Ne);return{stroke:G>0?xe:null,fill:xe,clip:ke,flags:3}}))}function ud(i){return(u,m,p,g,k,y)=>{p!=g&&(k!=p&&y!=p&&i(u,m,p),k!=g&&y!=g&&i(u,m,g),i(u,m,
y))}}let Ip=ud(Xa),zp=ud(Qa);function pd(i){let u=Fe(i?.alignGaps,0);return(m,p,g,k)=>Ra(m,p,((y,T,A,D,P,_,W,Z,B,Y,ve)=>{[g,k]=mo(A,g,k);let ce,q,$e=y.pxRound,G=ae=>$e(
_(ae,D,Y,Z)),ee=ae=>$e(W(ae,P,ve,B));D.ori==0?(ce=Xa,q=Ip):(ce=Qa,q=zp);let K=D.dir*(D.ori==0?1:-1),xe={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,
flags:1},ke=xe.stroke,Se=!1;if(k-g<4*Y)for(let ae=K==1?g:k;ae>=g&&k>=ae;ae+=K){let fe=A[ae];fe===null?Se=!0:fe!=null&&ce(ke,G(T[ae]),ee(fe))}else{let ae,fe,Ne,ue=le=>m.
posToVal(le,D.key,!0),Ae=null,lt=null,St=G(T[K==1?g:k]),Xe=G(T[g]),Ot=G(T[k]),De=ue(K==1?Xe+1:Ot-1);for(let le=K==1?g:k;le>=g&&k>=le;le+=K){let te=T[le],dt=(K==
1?De>te:te>De)?St:G(te),ft=A[le];dt==St?ft!=null?(fe=ft,Ae==null?(ce(ke,dt,ee(fe)),ae=Ae=lt=fe):Ae>fe?Ae=fe:fe>lt&&(lt=fe)):ft===null&&(Se=!0):(Ae!=null&&q(ke,St,
ee(Ae),ee(lt),ee(ae),ee(fe)),ft!=null?(fe=ft,ce(ke,dt,ee(fe)),Ae=lt=ae=fe):(Ae=lt=null,ft===null&&(Se=!0)),St=dt,De=ue(St+K))}Ae!=null&&Ae!=lt&&Ne!=St&&q(ke,St,
ee(Ae),ee(lt),ee(ae),ee(fe))}let[Re,X]=Rr(m,p);if(y.fill!=null||Re!=0){let ae=xe.fill=new Path2D(ke),fe=ee(y.fillTo(m,p,y.min,y.max,Re)),Ne=G(T[g]),ue=G(T[k]);K==
-1&&([ue,Ne]=[Ne,ue]),ce(ae,ue,fe),ce(ae,Ne,fe)}if(!y.spanGaps){let ae=[];Se&&ae.push(...Ar(T,A,g,k,K,G,u)),xe.gaps=ae=y.gaps(m,p,g,k,ae),xe.clip=_o(ae,D.ori,Z,
B,Y,ve)}return X!=0&&(xe.band=X==2?[Gn(m,p,g,k,ke,-1),Gn(m,p,g,k,ke,1)]:Gn(m,p,g,k,ke,X)),xe}))}function hd(i,u,m,p,g,k,y=Ye){if(i.length>1){let T=null;for(let A=0,
D=1/0;i.length>A;A++)if(u[A]!==void 0){if(T!=null){let P=Ct(i[A]-i[T]);D>P&&(D=P,y=Ct(m(i[A],p,g,k)-m(i[T],p,g,k)))}T=A}}return y}function Op(i,u,m,p,g){let k=i.
length;if(2>k)return null;let y=new Path2D;if(m(y,i[0],u[0]),k==2)p(y,i[1],u[1]);else{let T=Array(k),A=Array(k-1),D=Array(k-1),P=Array(k-1);for(let _=0;k-1>_;_++)
D[_]=u[_+1]-u[_],P[_]=i[_+1]-i[_],A[_]=D[_]/P[_];T[0]=A[0];for(let _=1;k-1>_;_++)A[_]===0||A[_-1]===0||A[_-1]>0!=A[_]>0?T[_]=0:(T[_]=3*(P[_-1]+P[_])/((2*P[_]+P[_-
1])/A[_-1]+(P[_]+2*P[_-1])/A[_]),isFinite(T[_])||(T[_]=0));T[k-1]=A[k-2];for(let _=0;k-1>_;_++)g(y,i[_]+P[_]/3,u[_]+T[_]*P[_]/3,i[_+1]-P[_]/3,u[_+1]-T[_+1]*P[_]/
3,i[_+1],u[_+1])}return y}let Er=new Set;function fd(){for(let i of Er)i.syncRect(!0)}tt&&(ja("resize",Ke,fd),ja("scroll",Ke,fd,!0),ja(ye,Ke,(()=>{Bt.pxRatio=be})));
let Lp=pd(),Fp=cd();function md(i,u,m,p){return(p?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map(((g,k)=>Pr(g,k,u,m)))}function Pr(i,u,m,p){return wt(
{},u==0?m:p,i)}function $d(i,u,m){return u==null?Va:[u,m]}let Np=$d;function Wp(i,u,m){return u==null?Va:go(u,m,gr,!0)}function gd(i,u,m,p){return u==null?Va:$o(
u,m,i.scales[p].log,!1)}let qp=gd;function bd(i,u,m,p){return u==null?Va:$r(u,m,i.scales[p].log,!1)}let Hp=bd;function Up(i,u,m,p,g){let k=en(ml(i),ml(u)),y=u-i,
T=Rn(g/p*y,m);do{let A=m[T],D=p*A/y;if(D>=g&&17>=k+(5>A?oa.get(A):0))return[A,D]}while(++T<m.length);return[0,0]}function vd(i){let u,m;return[i=i.replace(/(\d+)px/,
((p,g)=>(u=jt((m=+g)*be))+"px")),u,m]}function Bp(i){i.show&&[i.font,i.labelFont].forEach((u=>{let m=Ze(u[2]*be,1);u[0]=u[0].replace(/[0-9.]+px/,m+"px"),u[1]=m}))}
function Bt(i,u,m){let p={mode:Fe(i.mode,1)},g=p.mode;function k(l,h,f,b){let x=h.valToPct(l);return b+f*(h.dir==-1?1-x:x)}function y(l,h,f,b){let x=h.valToPct(
l);return b+f*(h.dir==-1?x:1-x)}function T(l,h,f,b){return h.ori==0?k(l,h,f,b):y(l,h,f,b)}p.valToPosH=k,p.valToPosV=y;let A=!1;p.status=0;let D=p.root=vn("uplot");
i.id!=null&&(D.id=i.id),zt(D,i.class),i.title&&(vn("u-title",D).textContent=i.title);let P=Dn("canvas"),_=p.ctx=P.getContext("2d"),W=vn("u-wrap",D);ja("click",W,
(l=>{l.target===B&&(st!=hs||ct!=fs)&&Nt.click(p,l)}),!0);let Z=p.under=vn("u-under",W);W.appendChild(P);let B=p.over=vn("u-over",W),Y=+Fe((i=Ya(i)).pxAlign,1),ve=sd(
Y);(i.plugins||[]).forEach((l=>{l.opts&&(i=l.opts(p,i)||i)}));let ce=i.ms||.001,q=p.series=g==1?md(i.series||[],Kl,ed,!1):(function(l,h){return l.map(((f,b)=>b==
0?{}:wt({},h,f)))})(i.series||[null],Ql),$e=p.axes=md(i.axes||[],Jl,Yl,!0),G=p.scales={},ee=p.bands=i.bands||[];ee.forEach((l=>{l.fill=Ee(l.fill||null),l.dir=Fe(
l.dir,-1)}));let K=g==2?q[1].facets[0].scale:q[0].scale,xe={axes:function(){for(let l=0;$e.length>l;l++){let h=$e[l];if(!h.show||!h._show)continue;let f,b,x=h.side,
C=x%2,M=h.stroke(p,l),I=x==0||x==3?-1:1,[O,L]=h._found;if(h.label!=null){let it=jt((h._lpos+h.labelGap*I)*be);jd(h.labelFont[0],M,"center",x==2?"top":r),_.save(),
C==1?(f=b=0,_.translate(it,jt(sn+Pa/2)),_.rotate((x==3?-bo:bo)/2)):(f=jt(xn+Pn/2),b=it);let Vt=$l(h.label)?h.label(p,l,O,L):h.label;_.fillText(Vt,f,b),_.restore()}
if(L==0)continue;let H=G[h.scale],ne=C==0?Pn:Pa,Oe=C==0?xn:sn,we=h._splits,me=H.distr==2?we.map((it=>In[it])):we,ge=H.distr==2?In[we[1]]-In[we[0]]:O,N=h.ticks,pe=h.
border,qe=N.show?N.size:0,bt=jt(qe*be),rt=jt((h.alignTo==2?h._size-qe-h.gap:h.gap)*be),Be=h._rotate*-bo/180,Wt=ve(h._pos*be),Kt=Wt+(bt+rt)*I;b=C==0?Kt:0,f=C==1?
Kt:0,jd(h.font[0],M,h.align==1?d:h.align==2?c:Be>0?d:0>Be?c:C==0?"center":x==3?c:d,Be||C==1?"middle":x==2?"top":r);let Gt=h.font[1]*h.lineGap,mt=we.map((it=>ve(
T(it,H,ne,Oe)))),$n=h._values;for(let it=0;$n.length>it;it++){let Vt=$n[it];if(Vt!=null){C==0?f=mt[it]:b=mt[it],Vt=""+Vt;let rn=Vt.indexOf(`
`)==-1?[Vt]:Vt.split(/\n/gm);for(let Cn=0;rn.length>Cn;Cn++){let Xn=rn[Cn];Be?(_.save(),_.translate(f,b+Cn*Gt),_.rotate(Be),_.fillText(Xn,0,0),_.restore()):_.fillText(
Xn,f,b+Cn*Gt)}}}N.show&&Kr(mt,N.filter(p,me,l,L,ge),C,x,Wt,bt,Ze(N.width*be,3),N.stroke(p,l),N.dash,N.cap);let xt=h.grid;xt.show&&Kr(mt,xt.filter(p,me,l,L,ge),C,
C==0?2:1,C==0?sn:xn,C==0?Pa:Pn,Ze(xt.width*be,3),xt.stroke(p,l),xt.dash,xt.cap),pe.show&&Kr([Wt],[1],C==0?1:0,C==0?1:2,C==1?sn:xn,C==1?Pa:Pn,Ze(pe.width*be,3),pe.
stroke(p,l),pe.dash,pe.cap)}Pt("drawAxes")},series:function(){if(Ft>0){let l=q.some((h=>h._focus))&&on!=Nn.alpha;l&&(_.globalAlpha=on=Nn.alpha),q.forEach(((h,f)=>{
if(f>0&&h.show&&(Td(f,!1),Td(f,!0),h._paths==null)){let b=on;on!=h.alpha&&(_.globalAlpha=on=h.alpha);let x=g==2?[0,u[f][0].length-1]:(function(C){let M=wr(Rt-1,
0,Ft-1),I=wr(At+1,0,Ft-1);for(;C[M]==null&&M>0;)M--;for(;C[I]==null&&Ft-1>I;)I++;return[M,I]})(u[f]);h._paths=h.paths(p,f,x[0],x[1]),on!=b&&(_.globalAlpha=on=b)}})),
q.forEach(((h,f)=>{if(f>0&&h.show){let b=on;on!=h.alpha&&(_.globalAlpha=on=h.alpha),h._paths!=null&&Dd(f,!1);{let x=h._paths!=null?h._paths.gaps:null,C=h.points.
show(p,f,Rt,At,x),M=h.points.filter(p,f,C,x);(C||M)&&(h.points._paths=h.points.paths(p,f,Rt,At,M),Dd(f,!0))}on!=b&&(_.globalAlpha=on=b),Pt("drawSeries",f)}})),l&&
(_.globalAlpha=on=1)}}},ke=(i.drawOrder||["axes","series"]).map((l=>xe[l]));function Se(l){let h=l.distr==3?f=>Kn(f>0?f:l.clamp(p,f,l.min,l.max,l.key)):l.distr==
4?f=>vr(f,l.asinh):l.distr==100?f=>l.fwd(f):f=>f;return f=>{let b=h(f),{_min:x,_max:C}=l;return(b-x)/(C-x)}}function Re(l){let h=G[l];if(h==null){let f=(i.scales||
qs)[l]||qs;if(f.from!=null){Re(f.from);let b=wt({},G[f.from],f,{key:l});b.valToPct=Se(b),G[l]=b}else{h=G[l]=wt({},l==K?td:Ep,f),h.key=l;let b=h.time,x=h.range,C=ra(
x);if((l!=K||g==2&&!b)&&(!C||x[0]!=null&&x[1]!=null||(x={min:x[0]==null?ul:{mode:1,hard:x[0],soft:x[0]},max:x[1]==null?ul:{mode:1,hard:x[1],soft:x[1]}},C=!1),!C&&
wo(x))){let M=x;x=(I,O,L)=>O==null?Va:go(O,L,M)}h.range=Ee(x||(b?Np:l==K?h.distr==3?qp:h.distr==4?Hp:$d:h.distr==3?gd:h.distr==4?bd:Wp)),h.auto=Ee(!C&&h.auto),h.
clamp=Ee(h.clamp||Mp),h._min=h._max=null,h.valToPct=Se(h)}}}Re("x"),Re("y"),g==1&&q.forEach((l=>{Re(l.scale)})),$e.forEach((l=>{Re(l.scale)}));for(let l in i.scales)
Re(l);let X=G[K],ae=X.distr,fe,Ne;X.ori==0?(zt(D,"u-hz"),fe=k,Ne=y):(zt(D,"u-vt"),fe=y,Ne=k);let ue={};for(let l in G){let h=G[l];h.min==null&&h.max==null||(ue[l]=
{min:h.min,max:h.max},h.min=h.max=null)}let Ae=i.tzDate||(l=>new Date(jt(l/ce))),lt=i.fmtDate||xr,St=ce==1?bp(Ae):yp(Ae),Xe=Fl(Ae,Ll(ce==1?gp:wp,lt)),Ot=Wl(Ae,Nl(
"{YYYY}-{MM}-{DD} {h}:{mm}{aa}",lt)),De=[],le=p.legend=wt({},xp,i.legend),te=p.cursor=wt({},kp,{drag:{y:g==2}},i.cursor),dt=le.show,ft=te.show,$t=le.markers,Mn,
es,fn;le.idxs=De,$t.width=Ee($t.width),$t.dash=Ee($t.dash),$t.stroke=Ee($t.stroke),$t.fill=Ee($t.fill);let gt,mn=[],ia=[],yn=!1,la={};if(le.live){let l=q[1]?q[1].
values:null;yn=l!=null,gt=yn?l(p,1,0):{_:0};for(let h in gt)la[h]=de}if(dt)if(Mn=Dn("table","u-legend",D),fn=Dn("tbody",null,Mn),le.mount(p,Mn),yn){es=Dn("thead",
null,Mn,fn);let l=Dn("tr",null,es);for(var ts in Dn("th",null,l),gt)Dn("th",t,l).textContent=ts}else zt(Mn,"u-inline"),le.live&&zt(Mn,"u-live");let ns={show:!0},
Bs={show:!1},da=new Map;function tn(l,h,f,b=!0){let x=da.get(h)||{},C=te.bind[l](p,h,f,b);C&&(ja(l,h,x[l]=C),da.set(h,x))}function as(l,h){let f=da.get(h)||{};for(let b in f)
l!=null&&b!=l||(mr(b,h,f[b]),delete f[b]);l==null&&da.delete(h)}let Vn=0,Aa=0,_e=0,V=0,Qe=0,Lt=0,Ma=Qe,Yn=Lt,Ea=_e,En=V,xn=0,sn=0,Pn=0,Pa=0;p.bbox={};let Ir=!1,
To=!1,ss=!1,Ia=!1,Do=!1,kn=!1;function zr(l,h,f){(f||l!=p.width||h!=p.height)&&wd(l,h),cs(!1),ss=!0,To=!0,ms()}function wd(l,h){p.width=Vn=_e=l,p.height=Aa=V=h,
Qe=Lt=0,(function(){let b=!1,x=!1,C=!1,M=!1;$e.forEach((I=>{if(I.show&&I._show){let{side:O,_size:L}=I,H=L+(I.label!=null?I.labelSize:0);H>0&&(O%2?(_e-=H,O==3?(Qe+=
H,M=!0):C=!0):(V-=H,O==0?(Lt+=H,b=!0):x=!0))}})),Oa[0]=b,Oa[1]=C,Oa[2]=x,Oa[3]=M,_e-=ca[1]+ca[3],Qe+=ca[3],V-=ca[2]+ca[0],Lt+=ca[0]})(),(function(){let b=Qe+_e,
x=Lt+V,C=Qe,M=Lt;function I(O,L){switch(O){case 1:return b+=L,b-L;case 2:return x+=L,x-L;case 3:return C-=L,C+L;case 0:return M-=L,M+L}}$e.forEach((O=>{if(O.show&&
O._show){let L=O.side;O._pos=I(L,O._size),O.label!=null&&(O._lpos=I(L,O.labelSize))}}))})();let f=p.bbox;xn=f.left=Ta(Qe*be,.5),sn=f.top=Ta(Lt*be,.5),Pn=f.width=
Ta(_e*be,.5),Pa=f.height=Ta(V*be,.5)}let Jp=3;if(p.setSize=function({width:l,height:h}){zr(l,h)},te.dataIdx==null){let l=te.hover,h=l.skip=new Set(l.skip??[]);h.
add(void 0);let f=l.prox=Ee(l.prox),b=l.bias??=0;te.dataIdx=(x,C,M,I)=>{if(C==0)return M;let O=M,L=f(x,C,M,I)??Ye,H=L>=0&&Ye>L,ne=X.ori==0?_e:V,Oe=te.left,we=u[0],
me=u[C];if(h.has(me[M])){O=null;let ge,N=null,pe=null;if(b==0||b==-1)for(ge=M;N==null&&ge-- >0;)h.has(me[ge])||(N=ge);if(b==0||b==1)for(ge=M;pe==null&&ge++<me.length;)
h.has(me[ge])||(pe=ge);if(N!=null||pe!=null)if(H){let qe=Oe-(N==null?-1/0:fe(we[N],X,ne,0)),bt=(pe==null?1/0:fe(we[pe],X,ne,0))-Oe;qe>bt?bt>L||(O=pe):qe>L||(O=N)}else
O=pe==null?N:N==null||M-N>pe-M?pe:N}else H&&Ct(Oe-fe(we[M],X,ne,0))>L&&(O=null);return O}}let za=l=>{te.event=l};te.idxs=De,te._lock=!1;let Jt=te.points;Jt.show=
Ee(Jt.show),Jt.size=Ee(Jt.size),Jt.stroke=Ee(Jt.stroke),Jt.width=Ee(Jt.width),Jt.fill=Ee(Jt.fill);let Nn=p.focus=wt({},i.focus||{alpha:.3},te.focus),os=Nn.prox>=
0,rs=os&&Jt.one,_n=[],is=[],ls=[];function yd(l,h){let f=Jt.show(p,h);if(f instanceof HTMLElement)return zt(f,"u-cursor-pt"),zt(f,l.class),Fn(f,-10,-10,_e,V),B.
insertBefore(f,_n[h]),f}function xd(l,h){if(g==1||h>0){let f=g==1&&G[l.scale].time,b=l.value;l.value=f?_l(b)?Wl(Ae,Nl(b,lt)):b||Ot:b||Ap,l.label=l.label||(f?"Ti\
me":"Value")}if(rs||h>0){l.width=l.width==null?1:l.width,l.paths=l.paths||Lp||ap,l.fillTo=Ee(l.fillTo||Pp),l.pxAlign=+Fe(l.pxAlign,Y),l.pxRound=sd(l.pxAlign),l.
stroke=Ee(l.stroke||null),l.fill=Ee(l.fill||null),l._stroke=l._fill=l._paths=l._focus=null;let f=(function(x){return Ze(1*(3+2*(x||1)),3)})(en(1,l.width)),b=l.points=
wt({},{size:f,width:en(1,.2*f),stroke:l.stroke,space:2*f,paths:Fp,_stroke:null,_fill:null},l.points);b.show=Ee(b.show),b.filter=Ee(b.filter),b.fill=Ee(b.fill),b.
stroke=Ee(b.stroke),b.paths=Ee(b.paths),b.pxAlign=l.pxAlign}if(dt){let f=(function(b,x){if(x==0&&(yn||!le.live||g==2))return Va;let C=[],M=Dn("tr","u-series",fn,
fn.childNodes[x]);zt(M,b.class),b.show||zt(M,e);let I=Dn("th",null,M);if($t.show){let H=vn("u-marker",I);if(x>0){let ne=$t.width(p,x);ne&&(H.style.border=ne+"px\
 "+$t.dash(p,x)+" "+$t.stroke(p,x)),H.style.background=$t.fill(p,x)}}let O=vn(t,I);for(var L in b.label instanceof HTMLElement?O.appendChild(b.label):O.textContent=
b.label,x>0&&($t.show||(O.style.color=b.width>0?$t.stroke(p,x):$t.fill(p,x)),tn("click",I,(H=>{if(te._lock)return;za(H);let ne=q.indexOf(b);if((H.ctrlKey||H.metaKey)!=
le.isolate){let Oe=q.some(((we,me)=>me>0&&me!=ne&&we.show));q.forEach(((we,me)=>{me>0&&Wn(me,Oe?me==ne?ns:Bs:ns,!0,yt.setSeries)}))}else Wn(ne,{show:!b.show},!0,
yt.setSeries)}),!1),os&&tn(R,I,(H=>{te._lock||(za(H),Wn(q.indexOf(b),gs,!0,yt.setSeries))}),!1)),gt){let H=Dn("td","u-value",M);H.textContent="--",C.push(H)}return[
M,C]})(l,h);mn.splice(h,0,f[0]),ia.splice(h,0,f[1]),le.values.push(null)}if(ft){De.splice(h,0,null);let f=null;rs?h==0&&(f=yd(l,h)):h>0&&(f=yd(l,h)),_n.splice(h,
0,f),is.splice(h,0,0),ls.splice(h,0,0)}Pt("addSeries",h)}p.addSeries=function(l,h){h=h??q.length,l=g==1?Pr(l,h,Kl,ed):Pr(l,h,{},Ql),q.splice(h,0,l),xd(q[h],h)},
p.delSeries=function(l){if(q.splice(l,1),dt){le.values.splice(l,1),ia.splice(l,1);let h=mn.splice(l,1)[0];as(null,h.firstChild),h.remove()}ft&&(De.splice(l,1),_n.
splice(l,1)[0].remove(),is.splice(l,1),ls.splice(l,1)),Pt("delSeries",l)};let Oa=[!1,!1,!1,!1];function Js(l,h,f){let[b,x,C,M]=f,I=h%2,O=0;return I==0&&(M||x)&&
(O=h==0&&!b||h==2&&!C?jt(Jl.size/3):0),I==1&&(b||C)&&(O=h==1&&!x||h==3&&!M?jt(Yl.size/2):0),O}let kd=p.padding=(i.padding||[Js,Js,Js,Js]).map((l=>Ee(Fe(l,Js)))),
ca=p._padding=kd.map(((l,h)=>l(p,h,Oa,0))),Ft,Rt=null,At=null,Ro=g==1?q[0].idxs:null,Ao,ds,Or,Lr,Fr,Nr,Wr,qr,Hr,on,In=null,Ks=!1;function _d(l,h){if(p.data=p._data=
u=l??[],g==2){Ft=0;for(let f=1;q.length>f;f++)Ft+=u[f][0].length}else{u.length==0&&(p.data=p._data=u=[[]]),In=u[0],Ft=In.length;let f=u;if(ae==2){f=u.slice();let b=f[0]=
Array(Ft);for(let x=0;Ft>x;x++)b[x]=x}p._data=u=f}if(cs(!0),Pt("setData"),ae==2&&(ss=!0),h!==!1){let f=X;f.auto(p,Ks)?Ur():pa(K,f.min,f.max),Ia=Ia||te.left>=0,kn=
!0,ms()}}function Ur(){let l,h;Ks=!0,g==1&&(Ft>0?(Rt=Ro[0]=0,At=Ro[1]=Ft-1,l=u[0][Rt],h=u[0][At],ae==2?(l=Rt,h=At):l==h&&(ae==3?[l,h]=$o(l,l,X.log,!1):ae==4?[l,
h]=$r(l,l,X.log,!1):X.time?h=l+jt(86400/ce):[l,h]=go(l,h,gr,!0))):(Rt=Ro[0]=l=null,At=Ro[1]=h=null)),pa(K,l,h)}function Cd(l,h,f,b,x,C){l??=w,f??=yr,b??="butt",
x??=w,C??="round",l!=Ao&&(_.strokeStyle=Ao=l),x!=ds&&(_.fillStyle=ds=x),h!=Or&&(_.lineWidth=Or=h),C!=Fr&&(_.lineJoin=Fr=C),b!=Nr&&(_.lineCap=Nr=b),f!=Lr&&_.setLineDash(
Lr=f)}function jd(l,h,f,b){h!=ds&&(_.fillStyle=ds=h),l!=Wr&&(_.font=Wr=l),f!=qr&&(_.textAlign=qr=f),b!=Hr&&(_.textBaseline=Hr=b)}function Br(l,h,f,b,x=0){if(b.length>
0&&l.auto(p,Ks)&&(h==null||h.min==null)){let C=Fe(Rt,0),M=Fe(At,b.length-1),I=f.min==null?(function(O,L,H,ne=0,Oe=!1){let we=Oe?ep:mo,me=Oe?cl:dl;[L,H]=we(O,L,H);
let ge=O[L],N=O[L];if(L>-1)if(ne==1)ge=O[L],N=O[H];else if(ne==-1)ge=O[H],N=O[L];else for(let pe=L;H>=pe;pe++){let qe=O[pe];me(qe)&&(ge>qe?ge=qe:qe>N&&(N=qe))}return[
ge??Ye,N??-Ye]})(b,C,M,x,l.distr==3):[f.min,f.max];l.min=An(l.min,f.min=I[0]),l.max=en(l.max,f.max=I[1])}}p.setData=_d;let Sd={min:null,max:null};function Td(l,h){
let f=h?q[l].points:q[l];f._stroke=f.stroke(p,l),f._fill=f.fill(p,l)}function Dd(l,h){let f=h?q[l].points:q[l],{stroke:b,fill:x,clip:C,flags:M,_stroke:I=f._stroke,
_fill:O=f._fill,_width:L=f.width}=f._paths;L=Ze(L*be,3);let H=null,ne=L%2/2;h&&O==null&&(O=L>0?"#fff":I);let Oe=f.pxAlign==1&&ne>0;if(Oe&&_.translate(ne,ne),!h){
let we=xn-L/2,me=sn-L/2,ge=Pn+L,N=Pa+L;H=new Path2D,H.rect(we,me,ge,N)}h?Jr(I,L,f.dash,f.cap,O,b,x,M,C):(function(we,me,ge,N,pe,qe,bt,rt,Be,Wt,Kt){let Gt=!1;Be!=
0&&ee.forEach(((mt,$n)=>{if(mt.series[0]==we){let xt,it=q[mt.series[1]],Vt=u[mt.series[1]],rn=(it._paths||qs).band;ra(rn)&&(rn=mt.dir==1?rn[0]:rn[1]);let Cn=null;
it.show&&rn&&(function(Xn,ma,gn){for(ma=Fe(ma,0),gn=Fe(gn,Xn.length-1);gn>=ma;){if(Xn[ma]!=null)return!0;ma++}return!1})(Vt,Rt,At)?(Cn=mt.fill(p,$n)||qe,xt=it._paths.
clip):rn=null,Jr(me,ge,N,pe,Cn,bt,rt,Be,Wt,Kt,xt,rn),Gt=!0}})),Gt||Jr(me,ge,N,pe,qe,bt,rt,Be,Wt,Kt)})(l,I,L,f.dash,f.cap,O,b,x,M,H,C),Oe&&_.translate(-ne,-ne)}let Rd=3;
function Jr(l,h,f,b,x,C,M,I,O,L,H,ne){Cd(l,h,f,b,x),(O||L||ne)&&(_.save(),O&&_.clip(O),L&&_.clip(L)),ne?(I&Rd)==Rd?(_.clip(ne),H&&_.clip(H),Eo(x,M),Mo(l,C,h)):2&
I?(Eo(x,M),_.clip(ne),Mo(l,C,h)):1&I&&(_.save(),_.clip(ne),H&&_.clip(H),Eo(x,M),_.restore(),Mo(l,C,h)):(Eo(x,M),Mo(l,C,h)),(O||L||ne)&&_.restore()}function Mo(l,h,f){
f>0&&(h instanceof Map?h.forEach(((b,x)=>{_.strokeStyle=Ao=x,_.stroke(b)})):h!=null&&l&&_.stroke(h))}function Eo(l,h){h instanceof Map?h.forEach(((f,b)=>{_.fillStyle=
ds=b,_.fill(f)})):h!=null&&l&&_.fill(h)}function Kr(l,h,f,b,x,C,M,I,O,L){let H=M%2/2;Y==1&&_.translate(H,H),Cd(I,M,O,L,I),_.beginPath();let ne,Oe,we,me,ge=x+(b==
0||b==3?-C:C);f==0?(Oe=x,me=ge):(ne=x,we=ge);for(let N=0;l.length>N;N++)h[N]!=null&&(f==0?ne=we=l[N]:Oe=me=l[N],_.moveTo(ne,Oe),_.lineTo(we,me));_.stroke(),Y==1&&
_.translate(-H,-H)}function Kp(l){let h=!0;return $e.forEach(((f,b)=>{if(!f.show)return;let x=G[f.scale];if(x.min==null)return void(f._show&&(h=!1,f._show=!1,cs(
!1)));f._show||(h=!1,f._show=!0,cs(!1));let C=f.side,M=C%2,{min:I,max:O}=x,[L,H]=(function(N,pe,qe,bt){let rt,Be=$e[N];if(bt>0){let Wt=Be._space=Be.space(p,N,pe,
qe,bt);rt=Up(pe,qe,Be._incrs=Be.incrs(p,N,pe,qe,bt,Wt),bt,Wt)}else rt=[0,0];return Be._found=rt})(b,I,O,M==0?_e:V);if(H==0)return;let ne=f._splits=f.splits(p,b,
I,O,L,H,x.distr==2),Oe=x.distr==2?ne.map((N=>In[N])):ne,we=x.distr==2?In[ne[1]]-In[ne[0]]:L,me=f._values=f.values(p,f.filter(p,Oe,b,H,we),b,H,we);f._rotate=C==2?
f.rotate(p,me,b,H):0;let ge=f._size;f._size=wn(f.size(p,me,b,l)),ge!=null&&f._size!=ge&&(h=!1)})),h}function Gp(l){let h=!0;return kd.forEach(((f,b)=>{let x=f(p,
b,Oa,l);x!=ca[b]&&(h=!1),ca[b]=x})),h}function cs(l){q.forEach(((h,f)=>{f>0&&(h._paths=null,l&&(g==1?(h.min=null,h.max=null):h.facets.forEach((b=>{b.min=null,b.
max=null}))))}))}let Gr,Vr,us,ps,Ad,Md,hs,fs,Ed,Pd,st,ct,Po=!1,Yr=!1,Gs=[];function Vp(){Yr=!1;for(let l=0;Gs.length>l;l++)Pt(...Gs[l]);Gs.length=0}function ms(){
Po||(lp(Id),Po=!0)}function Id(){if(Ir&&((function(){for(let b in G){let x=G[b];ue[b]==null&&(x.min==null||ue[K]!=null&&x.auto(p,Ks))&&(ue[b]=Sd)}for(let b in G){
let x=G[b];ue[b]==null&&x.from!=null&&ue[x.from]!=null&&(ue[b]=Sd)}ue[K]!=null&&cs(!0);let l={};for(let b in ue){let x=ue[b];if(x!=null){let C=l[b]=Ya(G[b],op);
if(x.min!=null)wt(C,x);else if(b!=K||g==2)if(Ft==0&&C.from==null){let M=C.range(p,null,null,b);C.min=M[0],C.max=M[1]}else C.min=Ye,C.max=-Ye}}if(Ft>0){q.forEach(
((b,x)=>{if(g==1){let C=b.scale,M=ue[C];if(M==null)return;let I=l[C];if(x==0){let O=I.range(p,I.min,I.max,C);I.min=O[0],I.max=O[1],Rt=Rn(I.min,u[0]),At=Rn(I.max,
u[0]),At-Rt>1&&(I.min>u[0][Rt]&&Rt++,u[0][At]>I.max&&At--),b.min=In[Rt],b.max=In[At]}else b.show&&b.auto&&Br(I,M,b,u[x],b.sorted);b.idxs[0]=Rt,b.idxs[1]=At}else if(x>
0&&b.show&&b.auto){let[C,M]=b.facets,I=C.scale,O=M.scale,[L,H]=u[x],ne=l[I],Oe=l[O];ne!=null&&Br(ne,ue[I],C,L,C.sorted),Oe!=null&&Br(Oe,ue[O],M,H,M.sorted),b.min=
M.min,b.max=M.max}}));for(let b in l){let x=l[b],C=ue[b];if(x.from==null&&(C==null||C.min==null)){let M=x.range(p,x.min==Ye?null:x.min,x.max==-Ye?null:x.max,b);
x.min=M[0],x.max=M[1]}}}for(let b in l){let x=l[b];if(x.from!=null){let C=l[x.from];if(C.min==null)x.min=x.max=null;else{let M=x.range(p,C.min,C.max,b);x.min=M[0],
x.max=M[1]}}}let h={},f=!1;for(let b in l){let x=l[b],C=G[b];if(C.min!=x.min||C.max!=x.max){C.min=x.min,C.max=x.max;let M=C.distr;C._min=M==3?Kn(C.min):M==4?vr(
C.min,C.asinh):M==100?C.fwd(C.min):C.min,C._max=M==3?Kn(C.max):M==4?vr(C.max,C.asinh):M==100?C.fwd(C.max):C.max,h[b]=f=!0}}if(f){q.forEach(((b,x)=>{g==2?x>0&&h.
y&&(b._paths=null):h[b.scale]&&(b._paths=null)}));for(let b in h)ss=!0,Pt("setScale",b);ft&&te.left>=0&&(Ia=kn=!0)}for(let b in ue)ue[b]=null})(),Ir=!1),ss&&((function(){
let l=!1,h=0;for(;!l;){h++;let f=Kp(h),b=Gp(h);l=h==Jp||f&&b,l||(wd(p.width,p.height),To=!0)}})(),ss=!1),To){if(Le(Z,d,Qe),Le(Z,"top",Lt),Le(Z,n,_e),Le(Z,s,V),Le(
B,d,Qe),Le(B,"top",Lt),Le(B,n,_e),Le(B,s,V),Le(W,n,Vn),Le(W,s,Aa),P.width=jt(Vn*be),P.height=jt(Aa*be),$e.forEach((({_el:l,_show:h,_size:f,_pos:b,side:x})=>{if(l!=
null)if(h){let C=x%2==1;Le(l,C?"left":"top",b-(x===3||x===0?f:0)),Le(l,C?"width":"height",f),Le(l,C?"top":"left",C?Lt:Qe),Le(l,C?"height":"width",C?V:_e),an(l,e)}else
zt(l,e)})),Ao=ds=Or=Fr=Nr=Wr=qr=Hr=Lr=null,on=1,Zs(!0),Qe!=Ma||Lt!=Yn||_e!=Ea||V!=En){cs(!1);let l=_e/Ea,h=V/En;if(ft&&!Ia&&te.left>=0){te.left*=l,te.top*=h,us&&
Fn(us,jt(te.left),0,_e,V),ps&&Fn(ps,0,jt(te.top),_e,V);for(let f=0;_n.length>f;f++){let b=_n[f];b!=null&&(is[f]*=l,ls[f]*=h,Fn(b,wn(is[f]),wn(ls[f]),_e,V))}}if(ot.
show&&!Do&&ot.left>=0&&ot.width>0){ot.left*=l,ot.width*=l,ot.top*=h,ot.height*=h;for(let f in ei)Le($s,f,ot[f])}Ma=Qe,Yn=Lt,Ea=_e,En=V}Pt("setSize"),To=!1}Vn>0&&
Aa>0&&(_.clearRect(0,0,P.width,P.height),Pt("drawClear"),ke.forEach((l=>l())),Pt("draw")),ot.show&&Do&&(Io(ot),Do=!1),ft&&Ia&&(Fa(null,!0,!1),Ia=!1),le.show&&le.
live&&kn&&(Xr(),kn=!1),A||(A=!0,p.status=1,Pt("ready")),Ks=!1,Po=!1}function Zr(l,h){let f=G[l];if(f.from==null){if(Ft==0){let b=f.range(p,h.min,h.max,l);h.min=
b[0],h.max=b[1]}if(h.min>h.max){let b=h.min;h.min=h.max,h.max=b}if(Ft>1&&h.min!=null&&h.max!=null&&1e-16>h.max-h.min)return;l==K&&f.distr==2&&Ft>0&&(h.min=Rn(h.
min,u[0]),h.max=Rn(h.max,u[0]),h.min==h.max&&h.max++),ue[l]=h,Ir=!0,ms()}}p.batch=function(l,h=!1){Po=!0,Yr=h,l(p),Id(),h&&Gs.length>0&&queueMicrotask(Vp)},p.redraw=
(l,h)=>{ss=h||!1,l!==!1?pa(K,X.min,X.max):ms()},p.setScale=Zr;let ua=!1,Nt=te.drag,Mt=Nt.x,Et=Nt.y;ft&&(te.x&&(Gr=vn("u-cursor-x",B)),te.y&&(Vr=vn("u-cursor-y",
B)),X.ori==0?(us=Gr,ps=Vr):(us=Vr,ps=Gr),st=te.left,ct=te.top);let ot=p.select=wt({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),$s=ot.show?vn("u-sel\
ect",ot.over?B:Z):null;function Io(l,h){if(ot.show){for(let f in l)ot[f]=l[f],f in ei&&Le($s,f,l[f]);h!==!1&&Pt("setSelect")}}function pa(l,h,f){Zr(l,{min:h,max:f})}
function Wn(l,h,f,b){h.focus!=null&&(function(x){if(x!=La){let C=x==null,M=Nn.alpha!=1;q.forEach(((I,O)=>{if(g==1||O>0){let L=C||O==0||O==x;I._focus=C?null:L,M&&
(function(H,ne){q[H].alpha=ne,ft&&_n[H]!=null&&(_n[H].style.opacity=ne),dt&&mn[H]&&(mn[H].style.opacity=ne)})(O,L?1:Nn.alpha)}})),La=x,M&&ms()}})(l),h.show!=null&&
q.forEach(((x,C)=>{0>=C||l!=C&&l!=null||(x.show=h.show,(function(M){if(q[M].show)dt&&an(mn[M],e);else if(dt&&zt(mn[M],e),ft){let I=rs?_n[0]:_n[M];I!=null&&Fn(I,
-10,-10,_e,V)}})(C),g==2?(pa(x.facets[0].scale,null,null),pa(x.facets[1].scale,null,null)):pa(x.scale,null,null),ms())})),f!==!1&&Pt("setSeries",l,h),b&&Xs("set\
Series",p,l,h)}let Zn,ha,La;p.setSelect=Io,p.setSeries=Wn,p.addBand=function(l,h){l.fill=Ee(l.fill||null),l.dir=Fe(l.dir,-1),ee.splice(h=h??ee.length,0,l)},p.setBand=
function(l,h){wt(ee[l],h)},p.delBand=function(l){l==null?ee.length=0:ee.splice(l,1)};let gs={focus:!0};function qn(l,h,f){let b=G[h];f&&(l=l/be-(b.ori==1?Lt:Qe));
let x=_e;b.ori==1&&(x=V,l=x-l),b.dir==-1&&(l=x-l);let C=b._min,M=C+l/x*(b._max-C),I=b.distr;return I==3?Ga(10,M):I==4?((O,L=1)=>pn.sinh(O)*L)(M,b.asinh):I==100?
b.bwd(M):M}function zd(l,h){Le($s,d,ot.left=l),Le($s,n,ot.width=h)}function Od(l,h){Le($s,"top",ot.top=l),Le($s,s,ot.height=h)}dt&&os&&tn(U,Mn,(l=>{te._lock||(za(
l),La!=null&&Wn(null,gs,!0,yt.setSeries))})),p.valToIdx=l=>Rn(l,u[0]),p.posToIdx=function(l,h){return Rn(qn(l,K,h),u[0],Rt,At)},p.posToVal=qn,p.valToPos=(l,h,f)=>G[h].
ori==0?k(l,G[h],f?Pn:_e,f?xn:0):y(l,G[h],f?Pa:V,f?sn:0),p.setCursor=(l,h,f)=>{st=l.left,ct=l.top,Fa(null,h,f)};let Vs=X.ori==0?zd:Od,Ys=X.ori==1?zd:Od;function Xr(l,h){
if(l!=null&&(l.idxs?l.idxs.forEach(((f,b)=>{De[b]=f})):(f=>f===void 0)(l.idx)||De.fill(l.idx),le.idx=De[0]),dt&&le.live){for(let f=0;q.length>f;f++)(f>0||g==1&&
!yn)&&Yp(f,De[f]);(function(){if(dt&&le.live)for(let f=g==2?1:0;q.length>f;f++){if(f==0&&yn)continue;let b=le.values[f],x=0;for(let C in b)ia[f][x++].firstChild.
nodeValue=b[C]}})()}kn=!1,h!==!1&&Pt("setLegend")}function Yp(l,h){let f,b=q[l],x=l==0&&ae==2?In:u[l];yn?f=b.values(p,l,h)??la:(f=b.value(p,h==null?null:x[h],l,
h),f=f==null?la:{_:f}),le.values[l]=f}function Fa(l,h,f){let b;Ed=st,Pd=ct,[st,ct]=te.move(p,st,ct),te.left=st,te.top=ct,ft&&(us&&Fn(us,jt(st),0,_e,V),ps&&Fn(ps,
0,jt(ct),_e,V)),Zn=Ye,ha=null;let x=X.ori==0?_e:V,C=X.ori==1?_e:V;if(0>st||Ft==0||Rt>At){b=te.idx=null;for(let M=0;q.length>M;M++){let I=_n[M];I!=null&&Fn(I,-10,
-10,_e,V)}os&&Wn(null,gs,!0,l==null&&yt.setSeries),le.live&&(De.fill(b),kn=!0)}else{let M,I,O;g==1&&(M=X.ori==0?st:ct,I=qn(M,K),b=te.idx=Rn(I,u[0],Rt,At),O=fe(u[0][b],
X,x,0));let L=-10,H=-10,ne=0,Oe=0,we=!0,me="",ge="";for(let N=g==2?1:0;q.length>N;N++){let pe=q[N],qe=De[N],bt=qe==null?null:g==1?u[N][qe]:u[N][1][qe],rt=te.dataIdx(
p,N,b,I),Be=rt==null?null:g==1?u[N][rt]:u[N][1][rt];if(kn=kn||Be!=bt||rt!=qe,De[N]=rt,N>0&&pe.show){let Wt=rt==null?-10:rt==b?O:fe(g==1?u[0][rt]:u[N][0][rt],X,x,
0),Kt=Be==null?-10:Ne(Be,g==1?G[pe.scale]:G[pe.facets[1].scale],C,0);if(os&&Be!=null){let Gt=X.ori==1?st:ct,mt=Ct(Nn.dist(p,N,rt,Kt,Gt));if(Zn>mt){let $n=Nn.bias;
if($n!=0){let xt=qn(Gt,pe.scale),it=0>xt?-1:1;it!=(0>Be?-1:1)||(it==1?$n==1?xt>Be:Be>xt:$n==1?Be>xt:xt>Be)||(Zn=mt,ha=N)}else Zn=mt,ha=N}}if(kn||rs){let Gt,mt;X.
ori==0?(Gt=Wt,mt=Kt):(Gt=Kt,mt=Wt);let $n,xt,it,Vt,rn,Cn,Xn=!0,ma=Jt.bbox;if(ma!=null){Xn=!1;let gn=ma(p,N);it=gn.left,Vt=gn.top,$n=gn.width,xt=gn.height}else it=
Gt,Vt=mt,$n=xt=Jt.size(p,N);if(Cn=Jt.fill(p,N),rn=Jt.stroke(p,N),rs)N!=ha||Zn>Nn.prox||(L=it,H=Vt,ne=$n,Oe=xt,we=Xn,me=Cn,ge=rn);else{let gn=_n[N];gn!=null&&(is[N]=
it,ls[N]=Vt,il(gn,$n,xt,Xn),ol(gn,Cn,rn),Fn(gn,wn(it),wn(Vt),_e,V))}}}}if(rs){let N=Nn.prox;if(kn||(La==null?N>=Zn:Zn>N||ha!=La)){let pe=_n[0];pe!=null&&(is[0]=
L,ls[0]=H,il(pe,ne,Oe,we),ol(pe,me,ge),Fn(pe,wn(L),wn(H),_e,V))}}}if(ot.show&&ua)if(l!=null){let[M,I]=yt.scales,[O,L]=yt.match,[H,ne]=l.cursor.sync.scales,Oe=l.
cursor.drag;if(Mt=Oe._x,Et=Oe._y,Mt||Et){let we,me,ge,N,pe,{left:qe,top:bt,width:rt,height:Be}=l.select,Wt=l.scales[H].ori,Kt=l.posToVal,Gt=M!=null&&O(M,H),mt=I!=
null&&L(I,ne);Gt&&Mt?(Wt==0?(we=qe,me=rt):(we=bt,me=Be),ge=G[M],N=fe(Kt(we,H),ge,x,0),pe=fe(Kt(we+me,H),ge,x,0),Vs(An(N,pe),Ct(pe-N))):Vs(0,x),mt&&Et?(Wt==1?(we=
qe,me=rt):(we=bt,me=Be),ge=G[I],N=Ne(Kt(we,ne),ge,C,0),pe=Ne(Kt(we+me,ne),ge,C,0),Ys(An(N,pe),Ct(pe-N))):Ys(0,C)}else ti()}else{let M=Ct(Ed-Ad),I=Ct(Pd-Md);if(X.
ori==1){let ne=M;M=I,I=ne}Mt=Nt.x&&M>=Nt.dist,Et=Nt.y&&I>=Nt.dist;let O,L,H=Nt.uni;H!=null?Mt&&Et&&(Mt=M>=H,Et=I>=H,Mt||Et||(I>M?Et=!0:Mt=!0)):Nt.x&&Nt.y&&(Mt||
Et)&&(Mt=Et=!0),Mt&&(X.ori==0?(O=hs,L=st):(O=fs,L=ct),Vs(An(O,L),Ct(L-O)),Et||Ys(0,C)),Et&&(X.ori==1?(O=hs,L=st):(O=fs,L=ct),Ys(An(O,L),Ct(L-O)),Mt||Vs(0,x)),Mt||
Et||(Vs(0,0),Ys(0,0))}if(Nt._x=Mt,Nt._y=Et,l==null){if(f){if(Gd!=null){let[M,I]=yt.scales;yt.values[0]=M!=null?qn(X.ori==0?st:ct,M):null,yt.values[1]=I!=null?qn(
X.ori==1?st:ct,I):null}Xs(j,p,st,ct,_e,V,b)}if(os){let M=f&&yt.setSeries,I=Nn.prox;La==null?Zn>I||Wn(ha,gs,!0,M):Zn>I?Wn(null,gs,!0,M):ha!=La&&Wn(ha,gs,!0,M)}}kn&&
(le.idx=b,Xr()),h!==!1&&Pt("setCursor")}p.setLegend=Xr;let fa=null;function Zs(l=!1){l?fa=null:(fa=B.getBoundingClientRect(),Pt("syncRect",fa))}function Ld(l,h,f,b,x,C){
te._lock||ua&&l!=null&&l.movementX==0&&l.movementY==0||(Qr(l,h,f,b,x,C,0,!1,l!=null),l!=null?Fa(null,!0,!0):Fa(h,!0,!1))}function Qr(l,h,f,b,x,C,M,I,O){if(fa==null&&
Zs(!1),za(l),l!=null)f=l.clientX-fa.left,b=l.clientY-fa.top;else{if(0>f||0>b)return st=-10,void(ct=-10);let[L,H]=yt.scales,ne=h.cursor.sync,[Oe,we]=ne.values,[me,
ge]=ne.scales,[N,pe]=yt.match,qe=h.axes[0].side%2==1,bt=X.ori==0?_e:V,rt=X.ori==1?_e:V,Be=qe?C:x,Wt=qe?x:C,Kt=qe?b:f,Gt=qe?f:b;if(f=me!=null?N(L,me)?T(Oe,G[L],bt,
0):-10:bt*(Kt/Be),b=ge!=null?pe(H,ge)?T(we,G[H],rt,0):-10:rt*(Gt/Wt),X.ori==1){let mt=f;f=b,b=mt}}!O||h!=null&&h.cursor.event.type!=j||(f>1&&_e-1>f||(f=Ta(f,_e)),
b>1&&V-1>b||(b=Ta(b,V))),I?(Ad=f,Md=b,[hs,fs]=te.move(p,f,b)):(st=f,ct=b)}Object.defineProperty(p,"rect",{get:()=>(fa==null&&Zs(!1),fa)});let ei={width:0,height:0,
left:0,top:0};function ti(){Io(ei,!1)}let Fd,Nd,Wd,qd;function Hd(l,h,f,b,x,C){ua=!0,Mt=Et=Nt._x=Nt._y=!1,Qr(l,h,f,b,x,C,0,!0,!1),l!=null&&(tn(v,Pe,Ud,!1),Xs(E,
p,hs,fs,_e,V,null));let{left:M,top:I,width:O,height:L}=ot;Fd=M,Nd=I,Wd=O,qd=L}function Ud(l,h,f,b,x,C){ua=Nt._x=Nt._y=!1,Qr(l,h,f,b,x,C,0,!1,!0);let{left:M,top:I,
width:O,height:L}=ot,H=O>0||L>0,ne=Fd!=M||Nd!=I||Wd!=O||qd!=L;if(H&&ne&&Io(ot),Nt.setScale&&H&&ne){let Oe=M,we=O,me=I,ge=L;if(X.ori==1&&(Oe=I,we=L,me=M,ge=O),Mt&&
pa(K,qn(Oe,K),qn(Oe+we,K)),Et)for(let N in G){let pe=G[N];N!=K&&pe.from==null&&pe.min!=Ye&&pa(N,qn(me+ge,N),qn(me,N))}ti()}else te.lock&&(te._lock=!te._lock,Fa(
h,!0,l!=null));l!=null&&(as(v,Pe),Xs(v,p,st,ct,_e,V,null))}function Bd(l){te._lock||(za(l),Ur(),ti(),l!=null&&Xs(J,p,st,ct,_e,V,null))}function Jd(){$e.forEach(
Bp),zr(p.width,p.height,!0)}ja(ye,Ke,Jd);let bs={};bs.mousedown=Hd,bs.mousemove=Ld,bs.mouseup=Ud,bs.dblclick=Bd,bs.setSeries=(l,h,f,b)=>{(f=(0,yt.match[2])(p,h,
f))!=-1&&Wn(f,b,!0,!1)},ft&&(tn(E,B,Hd),tn(j,B,Ld),tn(R,B,(l=>{za(l),Zs(!1)})),tn(U,B,(function(l){if(te._lock)return;za(l);let h=ua;if(ua){let f,b,x=!0,C=!0,M=10;
X.ori==0?(f=Mt,b=Et):(f=Et,b=Mt),f&&b&&(x=M>=st||st>=_e-M,C=M>=ct||ct>=V-M),f&&x&&(st=hs>st?0:_e),b&&C&&(ct=fs>ct?0:V),Fa(null,!0,!0),ua=!1}st=-10,ct=-10,De.fill(
null),Fa(null,!0,!0),h&&(ua=h)})),tn(J,B,Bd),Er.add(p),p.syncRect=Zs);let zo=p.hooks=i.hooks||{};function Pt(l,h,f){Yr?Gs.push([l,h,f]):l in zo&&zo[l].forEach((b=>{
b.call(null,p,h,f)}))}(i.plugins||[]).forEach((l=>{for(let h in l.hooks)zo[h]=(zo[h]||[]).concat(l.hooks[h])}));let Kd=(l,h,f)=>f,yt=wt({key:null,setSeries:!1,filters:{
pub:vl,sub:vl},scales:[K,q[1]?q[1].scale:null],match:[wl,wl,Kd],values:[null,null]},te.sync);yt.match.length==2&&yt.match.push(Kd),te.sync=yt;let Gd=yt.key,ni=ad(
Gd);function Xs(l,h,f,b,x,C,M){yt.filters.pub(l,h,f,b,x,C,M)&&ni.pub(l,h,f,b,x,C,M)}function ai(){Pt("init",i,u),_d(u||i.data,!1),ue[K]?Zr(K,ue[K]):Ur(),Do=ot.show&&
(ot.width>0||ot.height>0),Ia=kn=!0,zr(i.width,i.height)}return ni.sub(p),p.pub=function(l,h,f,b,x,C,M){yt.filters.sub(l,h,f,b,x,C,M)&&bs[l](null,h,f,b,x,C,M)},p.
destroy=function(){ni.unsub(p),Er.delete(p),da.clear(),mr(ye,Ke,Jd),D.remove(),Mn?.remove(),Pt("destroy")},q.forEach(xd),$e.forEach((function(l,h){if(l._show=l.
show,l.show){let f=G[l.scale];f==null&&(l.scale=l.side%2?q[1].scale:K,f=G[l.scale]);let b=f.time;l.size=Ee(l.size),l.space=Ee(l.space),l.rotate=Ee(l.rotate),ra(
l.incrs)&&l.incrs.forEach((C=>{!oa.has(C)&&oa.set(C,xl(C))})),l.incrs=Ee(l.incrs||(f.distr==2?mp:b?ce==1?$p:vp:Da)),l.splits=Ee(l.splits||(b&&f.distr==1?St:f.distr==
3?Tr:f.distr==4?jp:Cp)),l.stroke=Ee(l.stroke),l.grid.stroke=Ee(l.grid.stroke),l.ticks.stroke=Ee(l.ticks.stroke),l.border.stroke=Ee(l.border.stroke);let x=l.values;
l.values=ra(x)&&!ra(x[0])?Ee(x):b?ra(x)?Fl(Ae,Ll(x,lt)):_l(x)?(function(C,M){let I=xr(M);return(O,L)=>L.map((H=>I(C(H))))})(Ae,x):x||Xe:x||_p,l.filter=Ee(l.filter||
(3>f.distr||f.log!=10?f.distr==3&&f.log==2?Rp:bl:Dp)),l.font=vd(l.font),l.labelFont=vd(l.labelFont),l._size=l.size(p,null,h,0),l._space=l._rotate=l._incrs=l._found=
l._splits=l._values=null,l._size>0&&(Oa[h]=!0,l._el=vn("u-axis",W))}})),m?m instanceof HTMLElement?(m.appendChild(D),ai()):m(p,ai):ai(),p}Bt.assign=wt,Bt.fmtNum=
br,Bt.rangeNum=go,Bt.rangeLog=$o,Bt.rangeAsinh=$r,Bt.orient=Ra,Bt.pxRatio=be,Bt.join=function(i,u){if((function(y){let T=y[0][0],A=T.length;for(let D=1;y.length>
D;D++){let P=y[D][0];if(P.length!=A)return!1;if(P!=T){for(let _=0;A>_;_++)if(P[_]!=T[_])return!1}}return!0})(i)){let y=i[0].slice();for(let T=1;i.length>T;T++)y.
push(...i[T].slice(1));return(function(T,A=100){let D=T.length;if(1>=D)return!0;let P=0,_=D-1;for(;_>=P&&T[P]==null;)P++;for(;_>=P&&T[_]==null;)_--;if(P>=_)return!0;
let W=en(1,hn((_-P+1)/A));for(let Z=T[P],B=P+W;_>=B;B+=W){let Y=T[B];if(Y!=null){if(Z>=Y)return!1;Z=Y}}return!0})(y[0])||(y=(function(T){let A=T[0],D=A.length,P=Array(
D);for(let W=0;P.length>W;W++)P[W]=W;P.sort(((W,Z)=>A[W]-A[Z]));let _=[];for(let W=0;T.length>W;W++){let Z=T[W],B=Array(D);for(let Y=0;D>Y;Y++)B[Y]=Z[P[Y]];_.push(
B)}return _})(y)),y}let m=new Set;for(let y=0;i.length>y;y++){let T=i[y][0],A=T.length;for(let D=0;A>D;D++)m.add(T[D])}let p=[Array.from(m).sort(((y,T)=>y-T))],
g=p[0].length,k=new Map;for(let y=0;g>y;y++)k.set(p[0][y],y);for(let y=0;i.length>y;y++){let T=i[y],A=T[0];for(let D=1;T.length>D;D++){let P=T[D],_=Array(g).fill(
void 0),W=u?u[y][D]:1,Z=[];for(let B=0;P.length>B;B++){let Y=P[B],ve=k.get(A[B]);Y===null?W!=0&&(_[ve]=Y,W==2&&Z.push(ve)):_[ve]=Y}ip(_,Z,g),p.push(_)}}return p},
Bt.fmtDate=xr,Bt.tzDate=function(i,u){let m;return u=="UTC"||u=="Etc/UTC"?m=new Date(+i+6e4*i.getTimezoneOffset()):u==hp?m=i:(m=new Date(i.toLocaleString("en-US",
{timeZone:u})),m.setMilliseconds(i.getMilliseconds())),m},Bt.sync=ad;{Bt.addGap=function(u,m,p){let g=u[u.length-1];g&&g[0]==m?g[1]=p:u.push([m,p])},Bt.clipGaps=
_o;let i=Bt.paths={points:cd};i.linear=pd,i.stepped=function(u){let m=Fe(u.align,1),p=Fe(u.ascDesc,!1),g=Fe(u.alignGaps,0),k=Fe(u.extend,!1);return(y,T,A,D)=>Ra(
y,T,((P,_,W,Z,B,Y,ve,ce,q,$e,G)=>{[A,D]=mo(W,A,D);let ee=P.pxRound,{left:K,width:xe}=y.bbox,ke=De=>ee(Y(De,Z,$e,ce)),Se=De=>ee(ve(De,B,G,q)),Re=Z.ori==0?Xa:Qa,X={
stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:1},ae=X.stroke,fe=Z.dir*(Z.ori==0?1:-1),Ne=Se(W[fe==1?A:D]),ue=ke(_[fe==1?A:D]),Ae=ue,lt=ue;k&&m==
-1&&(lt=K,Re(ae,lt,Ne)),Re(ae,ue,Ne);for(let De=fe==1?A:D;De>=A&&D>=De;De+=fe){let le=W[De];if(le==null)continue;let te=ke(_[De]),dt=Se(le);m==1?Re(ae,te,Ne):Re(
ae,Ae,dt),Re(ae,te,dt),Ne=dt,Ae=te}let St=Ae;k&&m==1&&(St=K+xe,Re(ae,St,Ne));let[Xe,Ot]=Rr(y,T);if(P.fill!=null||Xe!=0){let De=X.fill=new Path2D(ae),le=Se(P.fillTo(
y,T,P.min,P.max,Xe));Re(De,St,le),Re(De,lt,le)}if(!P.spanGaps){let De=[];De.push(...Ar(_,W,A,D,fe,ke,g));let le=P.width*be/2,te=p||m==1?le:-le,dt=p||m==-1?-le:le;
De.forEach((ft=>{ft[0]+=te,ft[1]+=dt})),X.gaps=De=P.gaps(y,T,A,D,De),X.clip=_o(De,Z.ori,ce,q,$e,G)}return Ot!=0&&(X.band=Ot==2?[Gn(y,T,A,D,ae,-1),Gn(y,T,A,D,ae,
1)]:Gn(y,T,A,D,ae,Ot)),X}))},i.bars=function(u){let m=Fe((u=u||qs).size,[.6,Ye,1]),p=u.align||0,g=u.gap||0,k=u.radius;k=k==null?[0,0]:typeof k=="number"?[k,0]:k;
let y=Ee(k),T=1-m[0],A=Fe(m[1],Ye),D=Fe(m[2],1),P=Fe(u.disp,qs),_=Fe(u.each,(()=>{})),{fill:W,stroke:Z}=P;return(B,Y,ve,ce)=>Ra(B,Y,((q,$e,G,ee,K,xe,ke,Se,Re,X,ae)=>{
let fe,Ne,ue=q.pxRound,Ae=p,lt=g*be,St=A*be,Xe=D*be;ee.ori==0?[fe,Ne]=y(B,Y):[Ne,fe]=y(B,Y);let Ot=ee.dir*(ee.ori==0?1:-1),De,le,te,dt=ee.ori==0?So:Mr,ft=ee.ori==
0?_:(V,Qe,Lt,Ma,Yn,Ea,En)=>{_(V,Qe,Lt,Yn,Ma,En,Ea)},$t=Fe(B.bands,yr).find((V=>V.series[0]==Y)),Mn=q.fillTo(B,Y,q.min,q.max,$t!=null?$t.dir:0),es=ue(ke(Mn,K,ae,
Re)),fn=X,gt=ue(q.width*be),mn=!1,ia=null,yn=null,la=null,ts=null;W==null||gt!=0&&Z==null||(mn=!0,ia=W.values(B,Y,ve,ce),yn=new Map,new Set(ia).forEach((V=>{V!=
null&&yn.set(V,new Path2D)})),gt>0&&(la=Z.values(B,Y,ve,ce),ts=new Map,new Set(la).forEach((V=>{V!=null&&ts.set(V,new Path2D)}))));let{x0:ns,size:Bs}=P;if(ns!=null&&
Bs!=null){Ae=1,$e=ns.values(B,Y,ve,ce),ns.unit==2&&($e=$e.map((Qe=>B.posToVal(Se+Qe*X,ee.key,!0))));let V=Bs.values(B,Y,ve,ce);le=Bs.unit==2?V[0]*X:xe(V[0],ee,X,
Se)-xe(0,ee,X,Se),fn=hd($e,G,xe,ee,X,Se,fn),te=fn-le+lt}else fn=hd($e,G,xe,ee,X,Se,fn),te=fn*T+lt,le=fn-te;1>te&&(te=0),le/2>gt||(gt=0),5>te&&(ue=gl);let da=te>
0;le=ue(wr(fn-te-(da?gt:0),Xe,St)),De=(Ae==0?le/2:Ae==Ot?0:le)-Ae*Ot*((Ae==0?lt/2:0)+(da?gt/2:0));let tn={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},
as=mn?null:new Path2D,Vn=null;if($t!=null)Vn=B.data[$t.series[1]];else{let{y0:V,y1:Qe}=P;V!=null&&Qe!=null&&(G=Qe.values(B,Y,ve,ce),Vn=V.values(B,Y,ve,ce))}let Aa=fe*
le,_e=Ne*le;for(let V=Ot==1?ve:ce;V>=ve&&ce>=V;V+=Ot){let Qe=G[V];if(Qe==null)continue;if(Vn!=null){let sn=Vn[V]??0;if(Qe-sn==0)continue;es=ke(sn,K,ae,Re)}let Lt=xe(
ee.distr!=2||P!=null?$e[V]:V,ee,X,Se),Ma=ke(Fe(Qe,Mn),K,ae,Re),Yn=ue(Lt-De),Ea=ue(en(Ma,es)),En=ue(An(Ma,es)),xn=Ea-En;if(Qe!=null){let sn=0>Qe?_e:Aa,Pn=0>Qe?Aa:
_e;mn?(gt>0&&la[V]!=null&&dt(ts.get(la[V]),Yn,En+hn(gt/2),le,en(0,xn-gt),sn,Pn),ia[V]!=null&&dt(yn.get(ia[V]),Yn,En+hn(gt/2),le,en(0,xn-gt),sn,Pn)):dt(as,Yn,En+
hn(gt/2),le,en(0,xn-gt),sn,Pn),ft(B,Y,V,Yn-gt/2,En,le+gt,xn)}}return gt>0?tn.stroke=mn?ts:as:mn||(tn._fill=q.width==0?q._fill:q._stroke??q._fill,tn.width=0),tn.
fill=mn?yn:as,tn}))},i.spline=function(u){return(function(m,p){let g=Fe(p?.alignGaps,0);return(k,y,T,A)=>Ra(k,y,((D,P,_,W,Z,B,Y,ve,ce,q,$e)=>{[T,A]=mo(_,T,A);let G,
ee,K,xe=D.pxRound,ke=Xe=>xe(B(Xe,W,q,ve)),Se=Xe=>xe(Y(Xe,Z,$e,ce));W.ori==0?(G=Co,K=Xa,ee=ld):(G=jo,K=Qa,ee=dd);let Re=W.dir*(W.ori==0?1:-1),X=ke(P[Re==1?T:A]),
ae=X,fe=[],Ne=[];for(let Xe=Re==1?T:A;Xe>=T&&A>=Xe;Xe+=Re)if(_[Xe]!=null){let Ot=ke(P[Xe]);fe.push(ae=Ot),Ne.push(Se(_[Xe]))}let ue={stroke:m(fe,Ne,G,K,ee,xe),fill:null,
clip:null,band:null,gaps:null,flags:1},Ae=ue.stroke,[lt,St]=Rr(k,y);if(D.fill!=null||lt!=0){let Xe=ue.fill=new Path2D(Ae),Ot=Se(D.fillTo(k,y,D.min,D.max,lt));K(
Xe,ae,Ot),K(Xe,X,Ot)}if(!D.spanGaps){let Xe=[];Xe.push(...Ar(P,_,T,A,Re,ke,g)),ue.gaps=Xe=D.gaps(k,y,T,A,Xe),ue.clip=_o(Xe,W.ori,ve,ce,q,$e)}return St!=0&&(ue.band=
St==2?[Gn(k,y,T,A,Ae,-1),Gn(k,y,T,A,Ae,1)]:Gn(k,y,T,A,Ae,St)),ue}))})(Op,u)}}return Bt})(),tr=Mh;function Ds(e,t){t.style.color=`var(${e})`;let n=getComputedStyle(t).color;return t.style.color="",n}var Mi="11px system-ui, sans-serif",Qc=(e,t,n=52)=>({stroke:Ds(
"--ink-faint",e),font:Mi,size:n,values:t,grid:{stroke:Ds("--line",e),width:1},ticks:{show:!1}}),Eh=Array.from({length:16},(e,t)=>[1,2,5].map(n=>n*10**t)).flat();
function Ph(e,t,n){let{ctx:s}=e,{left:o,top:r,width:d,height:c}=e.bbox,$=w=>Math.min(Math.max(w,o),o+d);s.save();for(let w of t){let j=e.valToPos(Date.parse(w.at)/
1e3,"x",!0);if(w.kind==="outage"){let E=w.until?e.valToPos(Date.parse(w.until)/1e3,"x",!0):o+d;s.fillStyle=Ds("--bad-soft",n),s.fillRect($(j),r,Math.max($(E)-$(
j),devicePixelRatio),c)}else j>=o&&j<=o+d&&(s.strokeStyle=Ds("--ink-faint",n),s.lineWidth=devicePixelRatio,s.setLineDash([4*devicePixelRatio,3*devicePixelRatio]),
s.beginPath(),s.moveTo(j,r),s.lineTo(j,r+c),s.stroke())}s.restore()}function Ih({marks:e,from:t,to:n}){let s=r=>(r.kind==="start"?Date.parse(r.at):r.until?Date.
parse(r.until):ut())/1e3,o=e.filter(r=>s(r)>=t&&Date.parse(r.at)/1e3<=n);return o.length===0?null:a`<ul class="marks small soft">${o.slice(-4).map(r=>a`<li><i class=${r.
kind}></i><span class="nowrap" title=${It(r.at)}>${ln(r.at)}</span> ${r.says}${r.kind==="outage"&&(r.until?` for ${Zt((Date.parse(r.until)-Date.parse(r.at))/1e3)}`:
", still")}</li>`)}</ul>`}function ka({data:e,lines:t,height:n=180,values:s,label:o,min:r=1,unit:d,counts:c,marks:$}){let w=qt($);w.current=$;let j=qt(null),E=qt(
null),v=()=>{let R=j.current;E.current?.destroy(),E.current=new tr({tzDate:U=>jn()?tr.tzDate(new Date(U*1e3),"UTC"):new Date(U*1e3),width:R.clientWidth,height:n,
padding:[8,8,0,0],cursor:{points:{size:6},y:!1},legend:{live:!0},scales:{y:{range:(U,J,ie)=>[Math.min(0,J??0),Math.max(ie??0,r)*1.1]}},hooks:{drawClear:[U=>Ph(U,
w.current??[],R)]},axes:[{...Qc(R),size:46,space:70,label:to(),labelSize:14,labelGap:0,labelFont:Mi,values:(U,J,ie,ye,de)=>Sc(J,de)},{...Qc(R,(U,J)=>J.map(s??String),
d?66:52),...c?{incrs:Eh}:{},...d?{label:d,labelSize:16,labelGap:0,labelFont:Mi}:{}}],series:[{value:(U,J)=>J?It(J*1e3):""},...t.map(([U,J,ie])=>({label:U,stroke:Ds(
J,R),width:1.75,points:{show:!1},value:(ye,de)=>de==null?"":(s??String)(de),...ie,...ie?.filled?{fill:Ds(ie.filled,R)}:{}}))]},e,R)};return Ce(()=>{v();let R=new ResizeObserver(
()=>{E.current&&j.current&&E.current.width!==j.current.clientWidth&&E.current.setSize({width:j.current.clientWidth,height:n})});R.observe(j.current);let U=Qo(v);
return()=>{R.disconnect(),U(),E.current?.destroy()}},[]),Ce(()=>{E.current?.setData(e)},[e]),Ce(()=>{E.current?.redraw(!1)},[$]),a`<div class="chart" ref=${j} role="img" aria-label=${o}></div>
    ${$?.length>0&&a`<${Ih} marks=${$} from=${e[0][0]} to=${Math.max(e[0].at(-1)??0,ut()/1e3-60)} />`}`}var Ei=()=>tr.paths.bars({size:[.7,26],radius:.15});var zh=new Intl.Collator("en",{numeric:!0}),Oh=(e,t)=>typeof e=="number"?e-t:zh.compare(e,t);function eu(e,t,n){let[,s,o]=/^(-?)(.*)$/.exec(Wa().params[n]??""),
r=e.find(c=>c.key===o&&c.value);return[Yt(()=>{if(!r)return t;let c=t.filter($=>r.value($)!=null).sort(($,w)=>Oh(r.value($),r.value(w)));return[...s?c.reverse():
c,...t.filter($=>r.value($)==null)]},[t,o,s]),e.map(c=>a`<${Lh} key=${c.key} c=${c} name=${n} way=${c===r?s?"descending":"ascending":"none"} />`)]}function Lh({
c:e,name:t,way:n}){if(!e.value)return a`<th class=${e.num?"num":""} title=${e.meaning}>${e.title}</th>`;let s={none:e.num?"-"+e.key:e.key,descending:e.num?e.key:
"",ascending:e.num?"":"-"+e.key}[n];return a`<th class=${e.num?"num":""} aria-sort=${n}><button class="sort" title=${e.meaning??"Sort by this column"} onClick=${()=>et(
{[t]:s})}>${e.title}<span aria-hidden="true">${{none:"",ascending:" ▲",descending:" ▼"}[n]}</span></button></th>`}function Rs({columns:e,rows:t,id:n,href:s,
label:o}){let[r,d]=eu(e,t,"sort");return a`<table class="cards" aria-label=${o}><thead><tr>${d}</tr></thead><tbody>
    ${r.map(c=>a`<tr key=${n(c)} data-href=${s?.(c)}>${e.map($=>a`<td class=${`${$.num?"num":""} ${$.look??""}`} data-name=${$.card===!1?void 0:$.title}>${$.cell(
c)}</td>`)}</tr>`)}</tbody></table>`}var Fh=e=>typeof e=="string"&&e.toLowerCase().replace(/[^a-z0-9]+/g,"-");function at({columns:e,rows:t,name:n="sort",look:s="\
cards",first:o,children:r}){let[d,c]=eu(e.map(([$,w,j,E])=>({key:Fh($),title:$,value:w,num:j,meaning:E})),t,n);return a`<table class=${s}><thead><tr>${o}${c}</tr></thead><tbody>${d.
map(r)}</tbody></table>`}var nr=e=>e.replace(/^segment /,"Segment ").replace(/^target /,"Devices of "),Qt=e=>e.name?`${e.name} (${e.target.replace(/^segment /,"")})`:nr(e.target),Pi=({c:e})=>e?
a`<span class="nowrap"><span class="good-ink">+${S(e.added)}</span> <span class=${e.removed?"bad-ink":"faint"}>−${S(e.removed)}</span></span>`:a`<span class="faint none">–</span>`,
Ii=e=>/^\d/.test(e.every)?`every ${e.every.replace(/(\d)([a-z])/g,"$1 $2")}`:e.every;function zi({f:e}){return e?e.paused?a`<span class="badge warn">paused</span>`:
e.held?a`<span class="badge warn">export held</span>`:e.late?a`<span class="badge bad">late</span> <span class="small"><${js} at=${e.late} /></span>`:e.next?a`next export <${se} at=${e.
next} />`:a`<span class="soft">looks ${Ii(e)}</span>`:a`<span class="faint">no feed</span>`}var Nh=[{key:"name",title:"Audience",card:!1,value:e=>Qt(e),cell:e=>a`<a class="id" href=${oe(
"audiences",e.target)}>${Qt(e)}</a>${e.problems.slice(0,2).map(t=>a`<div class="note ${t.level==="bad"?"bad-ink":""}"><${Dt} text=${t.says} /></div>`)}`},{key:"\
size",title:"Ids",num:!0,value:e=>e.size,meaning:We.ids,cell:e=>e.size===null?a`<span class="faint">not known</span>`:a`<b>${S(e.size)}</b><div class="note">${e.
sizeOf==="ledger"?"in the ledger":"on the platform"}</div>`},{key:"change",title:"Last change",num:!0,meaning:We.change,value:e=>e.last&&Date.parse(e.last.at),cell:e=>a`<${Pi} c=${e.
last} />${e.last&&a`<div class="note"><${se} at=${e.last.at} /></div>`}`},{key:"expiry",title:"Expiry",num:!0,value:e=>e.expiry,meaning:"Days after which a memb\
er leaves the segment unless it is uploaded again",cell:e=>e.expiry?F(e.expiry,"day"):a`<span class="faint none">–</span>`},{key:"feed",title:"Feed",value:e=>e.
feed?.name,cell:e=>a`<div>${e.feed&&a`<b>${e.feed.name}</b> `}<${zi} f=${e.feed} /></div>`},{key:"ledger",title:"Ledger from",num:!0,value:e=>e.ledger&&Date.parse(
e.ledger.at),meaning:"When the last mirror has set what usher knows of its ids",cell:e=>e.ledger?a`<${se} at=${e.ledger.at} />${e.ledger.changed&&a`<div class="note">changed since</div>`}`:
a`<span class="faint">none</span>`},{key:"open",title:"Open jobs",num:!0,value:e=>e.open,meaning:We.open,cell:e=>e.open?S(e.open):a`<span class="faint">0</span>`}];
function tu({params:e}){let t=je("/api/audiences",["audiences","letters"]);return a`<${He} title="Audiences" acts=${a`<a class="button" href="#/audiences/overlap">Overlaps</a>`} sub="The segments and device lists that jobs and feeds fill: how large they are, what changed last, and what is wrong.">
    <${ht} result=${t}>${({audiences:n})=>{let s=n.filter(d=>d.problems.length>0),o=(e.text??"").toLowerCase(),r=(e.only==="problems"?s:n).filter(d=>`${Qt(d)} ${nr(
d.target)} ${d.feed?.name??""}`.toLowerCase().includes(o));return a`<div class="filters"><${Tn} label="Search audience or feed …" value=${e.text} onText=${d=>et(
{text:d})} />
        <${ya} label="Which" value=${e.only} onPick=${d=>et({only:d})} options=${[["","All",n.length],["problems","With problems",s.length]]} /></div>
        <${Q} flush>${r.length===0?a`<${Me} title=${n.length?"No audience matches":"No audiences yet"}>${n.length?"Remove a filter to see others.":"A segment ap\
pears here with its first job or feed."}<//>`:a`<${Rs} label="Audiences" columns=${Nh} rows=${r} params=${e} id=${d=>d.target} href=${d=>oe("audiences",d.target)} /><div class="foot">${F(
r.length,"audience")}</div>`}<//>`}}<//>
  <//>`}var ar=[["accepted","Accepted"],["unchanged","Unchanged"],["duplicate","Duplicate"],["suppressed","Suppressed"],["withheld","Withheld"],["junk","Junk"],["invali\
d","Invalid"],["refused","Refused"]],Ua=e=>typeof e=="number"?e:Object.values(e??{}).reduce((t,n)=>t+n,0);function Wh({tally:e}){let t=e.read||1,n=ar.filter(([s])=>Ua(
e[s])).map(([s,o])=>`${o.toLowerCase()} ${S(Ua(e[s]))}`).join(", ");return a`<div class="bar" role="img" aria-label=${n||"no rows yet"}>
    ${ar.map(([s])=>Ua(e[s])>0&&a`<i class="c-${s}" style=${{flexGrow:Ua(e[s])/t}}></i>`)}
  </div>`}function nu({tally:e,dryRun:t}){let n=ar.reduce((s,[o])=>s+Ua(e[o]),0);return a`<${Wh} tally=${e} />
    <div class="legend">
      ${ar.map(([s,o])=>a`<div class="key" key=${s}>
        <i class="c-${s}"></i><span>${s==="accepted"&&t?"Would be sent":o}</span><b>${S(Ua(e[s]))}</b>
        ${typeof e[s]=="object"&&Ua(e[s])>0&&a`<div class="reasons">
          ${Object.entries(e[s]).sort((r,d)=>d[1]-r[1]).map(([r,d])=>a`<span>${qa(r)}<span>${S(d)}</span></span>`)}</div>`}
      </div>`)}
    </div>
    <div class="sum"><span class="soft">Sum of all columns</span>
      <span><b>${S(n)}</b> ${n===e.read?a`<span class="good-ink">= ${F(e.read,"row")} read</span>`:a`<span class="bad-ink">but ${F(e.read,"row")} read: please report this</span>`}</span></div>`}var qh={queued:"queued",running:"running",retrying:"waiting for the next attempt"},Oi=e=>["done","failed","cancelled"].includes(e);function Hh(e,t,n){let s=new Map;
for(let o of t)s.has(o.run)||s.set(o.run,[]),s.get(o.run).push(o);return[...s].map(([o,r])=>{let d=r.map(E=>({state:E.state,at:Date.parse(E.at)}));o===1&&Date.parse(
e.submitted)<d[0].at&&d.unshift({state:"queued",at:Date.parse(e.submitted)});let c=d.at(-1),$=Oi(c.state)?c.at:Math.max(n,c.at),w=0,j=d.filter(E=>!Oi(E.state)).
map((E,v)=>(E.state==="running"&&d[v-1]?.state!=="running"&&w++,{...E,attempt:w,long:((d[v+1]?.at??$)-E.at)/1e3}));return{run:o,phases:Uh(j),from:d[0].at,to:$,end:Oi(
c.state)?c.state:""}})}function Uh(e){let t=[];for(let n of e){let s=t.at(-1);s?.state===n.state?s.long+=n.long:t.push({...n})}return t}var Li=e=>qh[e.state]+(e.
state==="running"&&e.attempt>1?`, attempt ${S(e.attempt)}`:"");function Bh({r:{run:e,phases:t,from:n,to:s,end:o},many:r}){let d=Math.max((s-n)/1e3,.001),c=t.map(
$=>`${Li($)} ${Zt($.long)}`).join(", then ");return a`<figure class="run">${r&&a`<figcaption class="small strong">Run ${S(e)}</figcaption>`}
    <div class="phases" role="img" aria-label=${`${c}${o?`; ended ${o}`:""}`}>${t.map(($,w)=>a`<i key=${w} class=${$.state} style=${{flexGrow:Math.max($.long/d,
.01)}} title=${`${Li($)}: ${Zt($.long)}`}></i>`)}${o&&a`<b class=${Ri(o)}></b>`}</div>
    <div class="ends small faint"><span title=${It(n)}>${ln(n)}</span><span>${o||"now"} after ${Zt(d)}</span></div>
    <ul class="small soft">${t.slice(0,12).map($=>a`<li><i class="dot ${$.state}"></i>${Li($)} <b>${Zt($.long)}</b></li>`)}${t.length>12&&a`<li>and ${S(t.length-
12)} more phases</li>`}</ul></figure>`}function au({r:e,history:t}){let n=Cs(),s=t.length?t:[{state:e.state,at:e.submitted,run:e.run}],o=Hh(e,s,n),r=s.filter(d=>d.
error).slice(-5);return a`<${Q} title="Timeline">
    ${o.slice(-6).map(d=>a`<${Bh} key=${d.run} r=${d} many=${o.length>1||d.run>1} />`)}
    ${o.length>6&&a`<p class="small faint">${S(o.length-6)} earlier runs are not shown</p>`}
    ${r.map(d=>a`<div class="small break"><span class="bad-ink" title=${d.error.class}>${Ht(d.error.class)}</span> <${se} at=${d.at} /></div>`)}<//>`}var _a=e=>JSON.stringify(e).slice(1,-1).replaceAll('\\"','"'),Jh={",":"comma",";":"semicolon","	":"tab","|":"bar"," ":"space"};function Kh(e){let[t,n]=[e.slice(
0,e.indexOf(":")),e.slice(e.indexOf(":")+1)];return t==="except"?a`members of <a href=${oe("audiences",n.replace("campaign/","target ").replace("/"," "))}>${n}</a>`:
`held out by the key “${n}”`}function su(e){let{column:t}=e,n=["parquet","avro","xlsx"].includes(e.format)?"":`, ${e.encoding}`,s=["csv","xlsx"].includes(e.
format),o=s&&t.number>0,r=e.format==="text"?"every line":"every value",d=e.files>1?`, ${F(e.files,"file")}`:"";return a`<dt>Format</dt><dd>${e.format}${n}${e.compression===
"none"?"":`, ${e.compression}`}${d}</dd>
    ${e.sheet&&a`<dt>Sheet</dt><dd>${_a(e.sheet)}</dd>`}
    ${e.delimiter&&a`<dt>Delimiter</dt><dd>${Jh[e.delimiter]??a`<code>${_a(e.delimiter)}</code>`}</dd>`}
    ${e.quote&&a`<dt>Quotes</dt><dd>${e.quote}, escape ${e.escape}</dd>`}
    ${e.skip!==0&&a`<dt>Skipped</dt><dd>${typeof e.skip=="number"?`the first ${F(e.skip,"line")}`:a`lines that begin with <code>${_a(e.skip)}</code>`}</dd>`}
    ${(s||e.format==="text")&&a`<dt>Header</dt><dd>${e.header?"yes":"no"}</dd>`}
    <dt>Ids in</dt><dd>${t.name&&a`<b>${_a(t.name)}</b>`}${t.name&&o?", ":""}${o&&`column ${S(t.number)}`}${e.format==="text"&&t.name?", ":""}${e.format==="text"||
!t.name&&!o?r:""}
      ${t.why&&a`<div class="faint small"><${Tt} text=${t.why} /></div>`}</dd>
    ${e.typeColumn&&a`<dt>Types in</dt><dd>${_a(e.typeColumn)}</dd>`}
    ${e.withheld?.map(c=>a`<dt>Left out</dt><dd>${F(c.count,"id")}: ${Kh(c.reason)}${c.at&&a`<div class="note">as of its generation ${S(c.generation)}, <${se} at=${c.
at} /></div>`}</dd>`)}
`}var ou=({u:e})=>a`<${Q} title="How the export was read"><dl class="facts">${su(e)}</dl><//>`,Gh={idfa:"IDFA",aaid:"AAID",android_id:"ANDROID_ID",md5:"MD5 hash\
es"};function ru({m:e}){if(!e)return null;let{beside:t={}}=e.understood,n=Object.entries(e.dropped).sort();return a`<${Q} title="Last good export"><p class="soft small">The next export is compared with it. If it is read in another way, or more of its rows have no usable id, nothing is sent before somebody approves it.</p>
    <dl class="facts">
      <dt>By job</dt><dd class="break"><a href=${oe("jobs",e.job)}>${e.job}</a></dd>
      <dt>Since</dt><dd><${se} at=${e.at} />${e.approvedBy&&`, approved by ${e.approvedBy}`}</dd>
      <dt>Rows</dt><dd>${S(e.rows)}</dd>
      ${su(e.understood)}
      ${e.understood.kind&&a`<dt>Kind of ids</dt><dd>${Gh[e.understood.kind]??e.understood.kind}</dd>`}
      ${t.typeValues&&a`<dt>Types</dt><dd>${t.typeValues.map(_a).join(", ")}</dd>`}
      ${t.columns&&a`<dt>Beside</dt><dd class="break">${t.columns.map(_a).join(", ")}</dd>`}
      ${n.length>0&&a`<dt>Left out</dt><dd>${n.map(([s,o])=>a`<div>${s.startsWith("withheld.")?_a(s.replace("."," by ")):qa(s.replace(/^(junk|invalid)\./,""))} ${(100*
o/e.rows).toFixed(1)} %</div>`)}</dd>`}
    </dl><//>`}var Fi=e=>["done","failed","cancelled"].includes(e);function iu(e){let t=je("/api/jobs/"+encodeURIComponent(e),["job "+e]),[n,s]=z(!1),o=t.data?.record,r=o&&a`<${na} is=${o.
state} /> <${Sn} kind=${o.kind} target=${t.data.target} />${o.run>1?` · run ${o.run}`:""}`,d=o&&a`
    ${o.state==="failed"&&a`<a class="button" href=${cu(e)}>Fix and replay …</a>`}
    ${!Fi(o.state)&&Ge("operator")&&a`<button class="danger" onClick=${()=>s(!0)}>Cancel job</button>`}`,c=a`<${ht} result=${t}>${$=>a`<${Vh} page=${$} />`}<//>
    ${n&&a`<${Ni} ids=${[e]} onClose=${()=>s(!1)} onDone=${t.reload} />`}`;return{sub:r,acts:d,body:c}}function lu({id:e}){let{sub:t,acts:n,body:s}=iu(e);return a`<${He} title=${e} crumb=${a`<a href="#/jobs">Jobs</a>`} sub=${t} acts=${n}>${s}<//>`}
function du({id:e,onClose:t}){let{sub:n,acts:s,body:o}=iu(e),r=qt(null);return Ce(()=>{r.current?.focus({preventScroll:!0});let d=c=>{c.key==="Escape"&&!document.
querySelector("dialog[open]")&&t()};return window.addEventListener("keydown",d),()=>{window.removeEventListener("keydown",d),document.querySelector(`a.id[href$=\
"job=${CSS.escape(encodeURIComponent(e))}"]`)?.focus({preventScroll:!0})}},[]),a`<aside class="drawer" aria-label=${`Job ${e}`}>
    <div class="head"><div class="title"><h2 tabindex="-1" ref=${r}>${e}</h2><div class="sub">${n}</div></div>
      <div class="acts">${s}<a class="button" href=${oe("jobs",e)}>Open page</a><button class="bare" onClick=${t} aria-label="Close the job">✕</button></div></div>
    <div class="stack">${o}</div></aside>`}function Ni({ids:e,onClose:t,onDone:n}){let[s,o]=z(""),r=e.length===1?"Cancel this job?":`Cancel ${F(e.length,"job")}\
?`,d=async()=>{if(e.length===1)await Ie(`/api/jobs/${encodeURIComponent(e[0])}/cancel`,{reason:s}),Je(`Job ${e[0]} is cancelled`);else{let{cancelled:c,left:$}=await Ie(
"/api/jobs/cancel",{ids:e,reason:s});Je(`${F(c,"job")} cancelled${$.length?`; ${S($.length)} not: ${$[0].why}`:""}`,$.length>0)}n()};return a`<${Ve} title=${r} act=${e.
length===1?"Cancel job":`Cancel ${F(e.length,"job")}`} dismiss=${e.length===1?"Keep job":"Keep jobs"} danger onClose=${t} onAct=${d}>
    <p>Requests in flight are aborted within ten seconds. Ids that the platform has accepted stay there. A cancelled job leaves no dead letter.</p>
    <${ze} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${s} onInput=${c=>o(c.target.value)} data-first /><//><//>`}
var cu=e=>"#/letters?id="+encodeURIComponent(e);function Vh({page:e}){let t=e.record,n=t.job??{};return a`
    ${t.error&&a`<${he} level="bad" says=${a`<span title=${t.error.class}>${Ht(t.error.class)}</span>: <${Dt} text=${t.error.message} />`} hint=${t.error.hint} of=${t.
error.class} to=${t.state==="failed"?cu(t.id):""} />`}
    ${t.why&&!Fi(t.state)&&a`<${he} level=${t.state==="running"?"":"warn"} says=${t.why} hint=${{queued:"The job has not started for this reason.",retrying:"The\
 job waits for this before its next attempt."}[t.state]}>${t.waitsFor?.job&&a`<div class="hint">Job <a class="id" href=${oe("jobs",t.waitsFor.job)}>${t.waitsFor.
job}</a> comes first.</div>`}<//>`}
    <div class="grid two-one">
      <div class="stack">
        ${e.parts?.length||t.parts.total>1?a`<${Xh} r=${t} parts=${e.parts??[]} />`:null}
        ${(t.tally.read>0||Yh(t))&&a`<${Q} title="Where every row went" side=${n.dryRun&&a`<span class="tag">dry run</span>`}><${nu} tally=${t.tally} dryRun=${n.
dryRun} /><//>`}
        ${t.warnings.length>0&&a`<${Q} title="Warnings" flush><${at} name="warnings" rows=${t.warnings} columns=${[["What",s=>s.description],["Times",s=>s.count,
!0]]}>${s=>a`<tr><td class="break whole" title=${s.code}><${Tt} text=${s.description} /></td><td class="num" data-name="Times">${S(s.count)}</td></tr>`}<//><//>`}
        ${t.samples.length>0&&a`<${Zh} all=${t.samples} />`}
        <${Q}><details><summary>The job as it was published</summary><pre class="block">${JSON.stringify(n,null,2)}</pre></details><//>
      </div>
      <div class="stack"><${Qh} r=${t} target=${e.target} />${t.understood&&a`<${ou} u=${t.understood} />`}<${au} r=${t} history=${e.history} /></div>
    </div>`}var Yh=e=>["segment.add","segment.remove","segment.mirror","target.add","target.replace","target.mirror"].includes(e.kind)&&Fi(e.state)&&e.state==="\
done";function Zh({all:e}){let[t,n]=z(!1),s=6;return a`<${Q} title="Samples of dropped rows" flush side=${a`<span class="faint small">masked</span>`}>
    <${at} look="" name="samples" rows=${e.slice(0,t?e.length:s)} columns=${[["Row",o=>o.row,!0],["Dropped as",o=>o.reason],["Masked"]]}>${o=>a`<tr><td class="num">${S(
o.row)}</td><td title=${o.reason}>${qa(o.reason)}</td><td class="mono break">${o.masked}</td></tr>`}<//>
    ${!t&&e.length>s&&a`<div class="foot"><span>${s} of ${S(e.length)}</span><button class="small" onClick=${()=>n(!0)}>Show all</button></div>`}<//>`}function Xh({
r:e,parts:t}){let n=new Map(t.map(r=>[r.number,r])),{total:s,done:o}=e.parts;return a`<${Q} title="Parts" side=${a`<span class="soft">${S(o)} of ${S(s)} done</span>`}>
    <progress max=${s} value=${o} aria-label="Parts done"></progress>
    <div class="parts" style=${{marginTop:"12px"}} aria-hidden="true">${Array.from({length:s},(r,d)=>{let c=n.get(d)??(o===s?{state:"done",read:null}:void 0);return a`<i key=${d} class=${c?.
state??""} title=${`part ${d+1}: ${c?c.state+(c.read===null?"":`, ${S(c.read)} rows`):"waiting"}`}></i>`})}</div><//>`}function Qh({r:e,target:t}){let n=e.kind.
startsWith("segment.")||e.kind.startsWith("rules.")?"":t.split(" ")[1];return a`<${Q} title="Facts"><dl class="facts">
    <dt>Target</dt><dd>${n?a`<a href=${oe("campaigns",n)}>${ta(t)}</a>`:e.kind.startsWith("segment.")?a`<a href=${oe("audiences",t)}>${ta(t)}</a>`:ta(t)}</dd>
    <dt>Submitted</dt><dd><${se} at=${e.submitted} /></dd>
    ${e.started&&a`<dt>Started</dt><dd><${se} at=${e.started} /></dd>`}
    ${e.finished&&a`<dt>Finished</dt><dd><${se} at=${e.finished} />${e.started&&a` <span class="faint">after ${Zt((new Date(e.finished)-new Date(e.started))/1e3)}</span>`}</dd>`}
    <dt>Attempts</dt><dd>${S(e.attempts)}${e.crashes>0&&a`, <span class="bad-ink">${F(e.crashes,"crash","crashes")}</span>`}</dd>
    ${e.batches>0&&a`<dt>Sent</dt><dd>${F(e.batches,"batch","batches")}, ${ys(e.bytes)}</dd>`}
    ${e.distinct>0&&a`<dt>Distinct ids</dt><dd>${e.kind.endsWith(".mirror")?"":"about "}${S(e.distinct)}</dd>`}
    ${e.new!==void 0&&a`<dt title=${We.new}>New</dt><dd>${e.new?S(e.new):"none: all were members before"}</dd>`}
    ${(e.numberOfIds.before>0||e.numberOfIds.after>0)&&a`<dt>On the platform</dt><dd>${S(e.numberOfIds.before)} before, ${S(e.numberOfIds.after)} after</dd>`}
    ${e.job?.actor&&a`<dt>Actor</dt><dd>${e.job.actor}</dd>`}
    ${e.job?.reason&&a`<dt>Reason</dt><dd>${e.job.reason}</dd>`}
    <dt>Who did what</dt><dd><a href=${"#/audit"+Te({job:e.id})}>In the audit</a></dd>
  </dl><//>`}var qi=[["","All kinds"],...Object.entries(io).map(([e,[t]])=>[e,t])],ef=["queued","running","retrying","done","failed","cancelled"],tf=50,nf=[["","All times"],
["1","Last hour"],["24","Last 24 hours"],["168","Last 7 days"],["720","Last 30 days"],["days","From … to …"]],sr=e=>["done","failed","cancelled"].includes(e);
function af({span:e,from:t,to:n}){return e==="days"?{since:t&&vi(t),until:n&&vi(n,1)}:{since:e&&new Date(Math.floor(ut()/6e4)*6e4-Number(e)*36e5).toISOString()}}
function pu({params:e}){let t={state:e.state,kind:e.kind,text:e.text,target:e.target,...af(e)},n=je("/api/jobs"+Te({...t,after:e.after,deep:e.deep,limit:tf}),e.
deep?[]:["jobs"]),[s,o]=z([]),[r,d]=z(!1),c=n.data??n.stale,$=c?Object.values(c.states).reduce((R,U)=>R+U,0):void 0,w=R=>{o([]),et({after:"",deep:"",...R})},j=c?.
jobs.filter(R=>!sr(R.state)).map(R=>R.id)??[],E=s.filter(R=>j.includes(R)),v={...e,job:""};return a`<${He} title="Jobs" sub="All jobs and their results, newest first.">
    <div class="filters">
      <${Tn} label="Search id, target, error …" value=${e.text} onText=${R=>w({text:R})} />
      <${Jn} label="Kind" value=${e.kind} onPick=${R=>w({kind:R})} options=${qi} />
      <${Jn} label="Submitted" value=${e.span} onPick=${R=>w({span:R,from:"",to:""})} options=${nf} />
      ${e.span==="days"&&a`<input type="date" aria-label="First day" value=${e.from??""} onChange=${R=>w({from:R.target.value})} /><input type="date" aria-label="Last day" value=${e.
to??""} onChange=${R=>w({to:R.target.value})} />`}
    </div>
    <${ya} label="State" value=${e.state} onPick=${R=>w({state:R})}
      options=${[["","All",$],...ef.map(R=>[R,R[0].toUpperCase()+R.slice(1),c?.states[R]??0,We[R]])]} />
    ${e.target&&a`<div><button class="small" onClick=${()=>w({target:""})} aria-label="Remove the filter target">${e.target} ×</button></div>`}
    ${n.error&&a`<${Xt} says=${n.error} retry=${n.reload} />`}
    <section class="card">${c?a`<${sf} list=${c} filtered=${Object.values(t).some(Boolean)} params=${v} chosen=${E} choose=${o} />
      ${(c.jobs.length>0||e.after||c.next)&&a`<div class="foot"><span>${e.deep?F(c.jobs.length,"older job"):`${S(c.jobs.length)} of ${F(c.total,"job")}${c.recent?
" among the newest":""}`}</span>
        <span class="acts">${e.after&&a`<a class="button small" href=${"#/jobs"+Te({...v,after:"",deep:""})}>Newest</a>`}
        ${c.next&&a`<a class="button small" href=${"#/jobs"+Te({...v,after:c.next,deep:c.deep?"1":""})}>${c.deep&&!e.deep?"Search older jobs":"Older"}</a>`}</span></div>`}`:
!n.error&&a`<${nn} />`}</section>
    ${E.length>0&&a`<div class="selection" role="group" aria-label="Actions on the selected jobs"><span class="says"><b>${F(E.length,"job")}</b> selected</span>
      <button class="bare" onClick=${()=>o([])}>Clear</button><button class="danger" onClick=${()=>d(!0)}>Cancel ${F(E.length,"job")} …</button></div>`}
    ${r&&a`<${Ni} ids=${E} onClose=${()=>d(!1)} onDone=${()=>o([])} />`}
    ${e.job&&a`<${du} id=${e.job} key=${e.job} onClose=${()=>et({job:""})} />`}
  <//>`}function sf({list:e,filtered:t,params:n,chosen:s,choose:o}){return e.jobs.length===0?t||n.after?a`<${Me} title="No job matches">Remove a filter to see other jobs.<//>`:
a`<${Me} title="No jobs yet">Jobs are published by programs, by feeds and by rules, and appear here at once.<${wa}>usher submit segment.add --segment 1 --profile idfa export.csv<//><//>`:
a`<${Hi} jobs=${e.jobs} href=${r=>"#/jobs"+Te({...n,job:r})} chosen=${Ge("operator")&&e.jobs.some(r=>!sr(r.state))?s:null} choose=${o} />`}var Wi="Sort the rows\
 on this page",of=[["Job",e=>e.id,!1,Wi],["State",e=>e.state,!1,Wi],["Rows",e=>e.read,!0,We.read],["Accepted",e=>e.accepted,!0,We.accepted],["Submitted",e=>Date.
parse(e.submitted),!0,Wi]];function Hi({jobs:e,href:t=o=>oe("jobs",o),chosen:n,choose:s}){let o=e.filter(d=>!sr(d.state)).map(d=>d.id),r=d=>s(n.includes(d)?n.filter(
c=>c!==d):[...n,d]);return a`<${at} look=${`cards ${n?"ticks":""}`} rows=${e} columns=${of}
    first=${n&&a`<th class="tick"><input type="checkbox" aria-label="Select all jobs on this page that have not ended" checked=${n.length===o.length} onChange=${()=>s(
n.length===o.length?[]:o)} /></th>`}>${d=>a`<tr key=${d.id} data-href=${t(d.id)}>
      ${n&&a`<td class="tick">${!sr(d.state)&&a`<input type="checkbox" aria-label=${`Select job ${d.id}`} checked=${n.includes(d.id)} onChange=${()=>r(d.id)} />`}</td>`}
      <td><a class="id" href=${t(d.id)}>${d.id}</a><div class="note"><${Sn} kind=${d.kind} target=${d.target} />${d.run>1?` · run ${d.run}`:""}</div>
        ${d.state==="running"?a`<${Ui} row=${d} />`:a`<${rf} row=${d} />`}</td>
      <td><${na} is=${d.state} /></td>
      <td class="num" data-name="Rows">${d.read?S(d.read):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Accepted">${d.accepted?S(d.accepted):a`<span class="faint none">–</span>`}</td>
      <td class="num" data-name="Submitted"><div><${se} at=${d.submitted} />${uu(d)&&a`<div class="note">took ${uu(d)}</div>`}</div></td>
    </tr>`}<//>`}var uu=e=>e.started&&e.finished&&Zt((new Date(e.finished)-new Date(e.started))/1e3);function rf({row:e}){return e.error?a`<div class="note"><span class="bad-ink" title=${e.
error.class}>${Ht(e.error.class)}</span>: <${Dt} text=${e.error.message} /></div>`:e.why?a`<div class="note"><${Tt} text=${e.why} /></div>`:e.warnings?a`<div class="note">${F(
e.warnings,"warning")}</div>`:null}function lf(e){let t=qt({read:0,at:Date.parse(e.started),rate:0});return Yt(()=>{let{read:n,at:s}=t.current,o=(Date.now()-s)/
1e3;return e.read>n&&o>=1&&(t.current={read:e.read,at:Date.now(),rate:(e.read-n)/o}),t.current.rate},[e.read])}function Ui({row:e}){let t=Cs(),n=lf(e);if(e.state!==
"running")return a`<div class="note"><${Tt} text=${e.why||"waits for its next attempt"} /></div>`;let{total:s,done:o}=e.parts,r=s>1?o/s:null,d=r>0&&e.started?(t-
Date.parse(e.started))/1e3*(1-r)/r:null,c=[r!==null&&`${Math.floor(100*r)} %, ${S(o)} of ${S(s)} parts`,e.read>0&&`${S(e.read)} rows`,n>=1&&`${S(n)} rows/s`,d!==
null&&`about ${Zt(Math.max(d,1))} left`].filter(Boolean);return a`${r!==null&&a`<progress max=${s} value=${o} aria-label="Parts done"></progress>`}<div class="note">${e.
why?a`<${Tt} text=${e.why} />`:c.join(" · ")||"started"}</div>`}var df=10,hu=(e,t)=>t?100*e/t:0,or=(e,t)=>`${hu(e,t).toFixed(1)} %`,cf=e=>(e.of??"").split(",").filter(Boolean);function fu({params:e}){let t=je("/api/audiences",
["audiences"]),n=cf(e);return a`<${He} title="Overlaps" crumb=${a`<a href="#/audiences">Audiences</a>`} sub="How many members audiences have in common, counted from usher's ledgers. Choose 2 to 10 that have one.">
    <${ht} result=${t}>${({audiences:s})=>a`<${uf} audiences=${s} of=${n} />`}<//>
    ${n.length<2?a`<${Q}><${Me} title="Choose two audiences">Then the members of both are counted.<//><//>`:a`<${pf} of=${n} key=${n.join()} />`}
  <//>`}function uf({audiences:e,of:t}){let n=e.filter(o=>o.ledger||t.includes(o.target));if(n.length===0)return a`<${Q}><${Me} title="No audience has a ledger">The first mirror of a segment or campaign makes one.<//><//>`;
let s=o=>et({of:(t.includes(o)?t.filter(r=>r!==o):[...t,o]).join(",")});return a`<div class="picks" role="group" aria-label="Audiences">${n.map(o=>a`<button class="small" key=${o.
target} aria-pressed=${t.includes(o.target)} disabled=${!t.includes(o.target)&&t.length>=df} onClick=${()=>s(o.target)}>${Qt(o)}</button>`)}</div>`}function pf({
of:e}){let t=je("/api/overlap?"+e.map(n=>"target="+encodeURIComponent(n)).join("&"),[]);return a`<${ht} result=${t}>${n=>a`
    ${n.audiences.filter(s=>s.uncertain>0).map(s=>a`<${he} level="warn" says=${`${F(s.uncertain,"id")} of ${Qt(s)} may be members, and are not counted`} hint="A job has begun to change it and has not ended as it should. The next mirror settles it." />`)}
    <${hf} o=${n} />
    <div class="grid two-one"><div class="stack"><${ff} o=${n} /></div><div class="stack"><${mf} o=${n} /></div></div>`}<//>`}function hf({o:e}){let t=e.audiences[0];
return a`<div class="figures">
    <${_t} name="Together" value=${S(e.union)} note="members of at least one" />
    <${_t} name=${e.audiences.length>2?"In all":"In both"} value=${S(e.all)} note=${`${or(e.all,e.union)} of all`} />
    <${_t} name=${`Only in ${Qt(t)}`} value=${S(t.only)} note=${`${or(t.only,t.members)} of its members`} />
  </div>`}function ff({o:e}){return a`<${Q} title="In both" flush side=${a`<span class="faint small">and their share of the row's members</span>`}>
    <div class="scroll"><table class="matrix" aria-label="Members in common"><thead><tr><th></th><th class="num">Members</th>${e.audiences.map((t,n)=>a`<th class="num" title=${Qt(
t)}><span class="soft">and</span> ${n+1}</th>`)}</tr></thead>
    <tbody>${e.audiences.map((t,n)=>a`<tr key=${t.target}><th scope="row"><span class="faint">${n+1}</span> <a href=${oe("audiences",t.target)}>${Qt(t)}</a><div class="note">generation ${S(
t.generation)}, <${se} at=${t.at} />${t.lapsed>0&&`, ${S(t.lapsed)} lapsed`}</div></th>
      <td class="num"><b>${S(t.members)}</b></td>
      ${e.both[n].map((s,o)=>n===o?a`<td class="num self" key=${o}>–</td>`:a`<td class="num" key=${o} style=${{"--share":hu(s,t.members).toFixed(1)+"%"}} title=${`${S(
s)} of the ${S(t.members)} members of ${Qt(t)} are in ${Qt(e.audiences[o])}`}>${S(s)}<div class="note">${or(s,t.members)}</div></td>`)}</tr>`)}</tbody></table></div>
  <//>`}function mf({o:e}){return a`<${Q} title="Of all members"><div class="unions">
    <div><div class="small"><b>Together</b> <span class="soft">${S(e.union)}</span></div><div class="bar" aria-hidden="true"><i class="c-duplicate" style=${{flexGrow:1}}></i></div></div>
    ${e.audiences.map(t=>a`<div key=${t.target}><div class="small">${Qt(t)} <span class="soft">${S(t.members)}, ${or(t.members,e.union)}</span></div>
      <div class="bar" role="img" aria-label=${`${S(t.only)} only in ${Qt(t)}, ${S(t.members-t.only)} in others, too`}>
        ${t.only>0&&a`<i class="c-accepted" style=${{flexGrow:t.only}}></i>`}${t.members>t.only&&a`<i class="c-suppressed" style=${{flexGrow:t.members-t.only}}></i>`}<i style=${{
flexGrow:e.union-t.members,minWidth:0}}></i></div>
      <div class="note">${S(t.only)} only here, ${S(t.members-t.only)} in others, too</div></div>`)}
    <div class="keys small soft"><span><i class="c-accepted"></i>only here</span><span><i class="c-suppressed"></i>in others, too</span></div>
  </div><//>`}var mu=(...e)=>"#/audiences/overlap"+Te({of:e.join(",")});function $u({target:e}){let t="/api/audiences/"+encodeURIComponent(e),n=je(t,["audiences","letters"]),[s,o]=z(""),r=n.data,d=r&&a`${r.ledger&&a`<a class="button" href=${mu(
e)}>Overlaps</a>`}${Ge("operator")&&a`${r.source&&a`<button onClick=${()=>o("compare")}>Compare with an export …</button>`}
    ${r.ledger&&a`<button onClick=${()=>o("verify")}>Check against the platform …</button>`}`}`;return a`<${He} title=${r?Qt(r):nr(e)} crumb=${a`<a href="#/audiences">Audiences</a>`} sub=${r&&
a`<${zi} f=${r.feed} />`} acts=${d}>
    <${ht} result=${n}>${c=>a`
      ${c.problems.map($=>a`<${he} key=${$.says} level=${$.level} says=${a`<${Dt} text=${$.says} />`} where=${$.where?.startsWith("/letters")?"#"+$.where:void 0} />`)}
      <${$f} a=${c} />
      <div class="grid two-one">
        <div class="stack"><${bf} points=${c.sizes} /><${vf} points=${c.trend} /><${wf} jobs=${c.jobs} target=${e} /></div>
        <div class="stack"><${yf} f=${c.feed} onDone=${n.reload} /><${xf} l=${c.ledger} /><${kf} w=${c.withheld} /><${ru} m=${c.memory} /></div>
      </div>`}<//>
    ${s==="compare"&&a`<${_f} path=${t} source=${r.source} onClose=${()=>o("")} />`}
    ${s==="verify"&&a`<${Cf} path=${t} onClose=${()=>o("")} />`}
  <//>`}function $f({a:e}){let t=e.trend.at(-1);return a`<div class="figures">
    <${_t} name="Ids" meaning=${We.ids} value=${e.size===null?"–":S(e.size)} note=${e.size===null?"no job or ledger has said it":e.sizeOf==="ledger"?"in usher\
's ledger":a`on the platform, <${se} at=${e.sizeAt} />`} />
    <${_t} name="Last change" meaning=${We.change} value=${a`<${Pi} c=${e.last} />`} note=${e.last&&a`<${se} at=${e.last.at} />`} />
    <${_t} name="Junk and invalid" meaning=${We.quality} value=${t?`${gf(t.junk+t.invalid,t.read)} %`:"–"} note=${t?`of ${F(t.read,"row")} in the last export`:
"no export was read"} bad=${t&&(t.junk+t.invalid)/t.read>.05} />
    <${_t} name="Open jobs" meaning=${We.open} value=${S(e.open)} note=${e.letters?F(e.letters,"dead letter"):"no dead letters"} bad=${e.letters>0} />
  </div>`}var gf=(e,t)=>t?(100*e/t).toFixed(e&&e/t<.01?2:1):"0",gu=e=>Date.parse(e)/1e3;function bf({points:e}){let t=Yt(()=>[e.map(n=>gu(n.at)),e.map(n=>n.ledger),
e.map(n=>n.platform)],[e]);return a`<${Q} title="Size" side=${a`<span class="faint small">ids, after each job</span>`}>
    ${e.length<2?a`<${Me} title="No history yet">The size is drawn once two jobs have ended.<//>`:a`<${ka} data=${t} values=${Un} unit="ids" label=${`Ids over t\
ime, now ${S(e.at(-1).ledger??e.at(-1).platform)}`} height=${220}
        lines=${[["in the ledger","--c-accepted",{spanGaps:!0,points:{show:!0,size:5}}],["on the platform","--c-suppressed",{spanGaps:!0,points:{show:!0,size:5}}]]} />`}<//>`}
function vf({points:e}){let t=Yt(()=>[e.map(n=>gu(n.at)),e.map(n=>100*n.junk/n.read),e.map(n=>100*n.invalid/n.read)],[e]);return a`<${Q} title="Data quality" side=${a`<span class="faint small">share of the rows of each export that name no device</span>`}>
    ${e.length<2?a`<${Me} title="No trend yet">The trend is drawn once two exports were read.<//>`:a`<${ka} data=${t} values=${n=>(n<10?n.toFixed(1):Math.round(
n))+" %"} unit="% of rows" min=${1} height=${200} label="Junk and invalid rows in percent, by export"
        lines=${[["junk","--c-junk",{points:{show:!0,size:5}}],["invalid","--c-invalid",{points:{show:!0,size:5}}]]} />
        <p class="small soft">Junk are zero ids, placeholders and ids of other kinds. Invalid rows have not the shape of an id. Both are left out, never sent.</p>`}<//>`}
function wf({jobs:e,target:t}){return a`<${Q} title="Jobs" flush side=${a`<a class="small" href=${"#/jobs"+Te({target:t})}>All jobs</a>`}>${e.length===0?a`<${Me} title="No jobs on record" />`:
a`<${Hi} jobs=${e.slice(0,20)} />${e.length>20&&a`<div class="foot">the newest 20 of ${S(e.length)}</div>`}`}<//>`}var bu={look:["Look for a new export now?","L\
ook now","A worker looks at once, and takes an export that is complete."],approve:["Approve the held export?","Approve export","It is taken now, although it dif\
fers from what is expected."],reject:["Reject the held export?","Reject export","It is not taken. The next export is judged again."],pause:["Pause this feed?","\
Pause feed","No export is taken until somebody resumes it."],resume:["Resume this feed?","Resume feed","The newest export is taken, if it was not."]};function rr({
feed:e,versions:t,way:n,onClose:s,onDone:o=()=>{}}){let[r,d]=z(""),[c]=z(t??[]),[$,w,j]=bu[n],E=async()=>{await Ie(`/api/feeds/${encodeURIComponent(e)}/${n}`,{reason:r,
versions:c}),Je(`${w}: feed ${e}`),o()};return a`<${Ve} title=${$} act=${w} danger=${n==="pause"||n==="reject"} ready=${n!=="pause"||r.trim()} onAct=${E} onClose=${s}>
    <p>${j}</p><${ze} name="Reason" hint=${`Recorded in the audit with your name, ${pt.user}.`}><input type="text" maxlength="1000" value=${r} onInput=${v=>d(v.
target.value)} data-first /><//>
  <//>`}function yf({f:e,onDone:t}){let[n,s]=z("");if(!e)return a`<${Q} title="Feed"><p class="soft">No feed writes to this audience: jobs are published for it.</p><//>`;
let o=e.held?["approve","reject"]:e.paused?["resume"]:["look","pause"];return a`<${Q} title=${`Feed ${e.name}`}><dl class="facts">
      <dt>Takes</dt><dd class="mono small">${e.watch}</dd>
      <dt>Looks</dt><dd>${Ii(e)}</dd>
      <dt>Looked</dt><dd><${se} at=${e.looked} /></dd>
      <dt>Expected</dt><dd>${e.late?a`by ${bi(e.late)} <span class="badge bad">late</span>`:e.next?`by ${bi(e.next)}`:"at any time"}</dd>
      <dt>Last taken</dt><dd>${e.last?a`<${se} at=${e.last} />${e.rows>0&&`, ${F(e.rows,"row")}`}`:"nothing yet"}</dd>
      ${e.why&&a`<dt>Now</dt><dd><${Tt} text=${e.why} /></dd>`}
      ${e.paused&&a`<dt>Paused by</dt><dd>${e.paused}</dd>`}
    </dl>
    ${Ge("operator")&&a`<div class="acts-line">${o.map(r=>a`<button class="small ${r==="pause"||r==="reject"?"danger":""}" onClick=${()=>s(r)}>${bu[r][1]} …</button>`)}</div>`}
    ${n&&a`<${rr} feed=${e.name} versions=${e.versions} way=${n} onClose=${()=>s("")} onDone=${t} />`}<//>`}function xf({l:e}){return a`<${Q} title="Ledger">${e?
a`<dl class="facts"><dt>From</dt><dd><${se} at=${e.at} /></dd><dt>Ids</dt><dd>${S(e.count)}${e.changed&&a` <span class="tag">changed since</span>`}</dd>
      <dt>By job</dt><dd class="break"><a href=${oe("jobs",e.job)}>${e.job}</a></dd>${e.pending&&a`<dt>Changing now</dt><dd class="break"><a href=${oe("jobs",e.
pending)}>${e.pending}</a></dd>`}</dl>`:a`<p class="soft">usher keeps no ledger of this audience. The first mirror makes one: then only what has changed is sent.</p>`}<//>`}
function kf({w:e}){return e?a`<${Q} title="Left out by the last mirror"><dl class="facts">
    ${e.except.map(t=>a`<dt>Members of</dt><dd><a href=${oe("audiences",t.target)}>${Qt(t)}</a>: ${F(t.count,"id")}<div class="note">as of its generation ${S(t.
generation)}, <${se} at=${t.at} /></div></dd>`)}
    ${e.holdout&&a`<dt>Held out</dt><dd>${F(e.holdout.count,"id")}: ${e.holdout.percent} % by the key “${e.holdout.key}”<div class="note">the same people in each segment and on each day</div></dd>`}
  </dl><//>`:null}function _f({path:e,source:t,onClose:n}){let[s,o]=z(t.includes("?…")?"":t),r=async()=>{let{id:d}=await Ie(e+"/compare",{url:s.trim()});Je("C\
omparing: nothing is sent"),location.hash=oe("jobs",d)};return a`<${Ve} title="Compare with an export" act="Compare" wide ready=${s.trim()} onAct=${r} onClose=${n}>
    <p>Counts which ids a mirror of this export would add and remove. It is a job that sends nothing; its page opens and shows the result.</p>
    <${ze} name="Export" hint="A file, or a folder that ends in /. It is read as the exports of this audience were read before."><input type="text" class="mono" value=${s} onInput=${d=>o(
d.target.value)} data-first /><//>
  <//>`}function Cf({path:e,onClose:t}){let[n,s]=z(null),o=async()=>{throw s(await Ie(e+"/verify")),new Error("")},r=n&&n.missing+n.unexpected;return a`<${Ve} title="Check against the platform" act=${n?
"Check again":"Check"} dismiss=${n?"Close":"Cancel"} onAct=${o} onClose=${t}>
    <p>Asks the platform for about 200 ids, chosen at random, and compares them with usher's ledger. This takes calls of the limit.</p>
    ${n&&a`<${he} level=${r?"bad":"good"} says=${r?`${S(r)} of ${S(n.asked)} answers differ`:`All ${S(n.asked)} answers agree`}
      hint=${r?`${S(n.missing)} ids are missing on the platform, ${S(n.unexpected)} are there although they should not be. The ledger is off by ${n.low.toFixed(
2)} to ${n.high.toFixed(2)} %.`:`The ledger holds ${F(n.count,"id")}.`} />`}
  <//>`}var jf=["source.column","source.delimiter","source.encoding","maxRejectPercent"],Bi=["force","acceptChange","dryRun"];function As(e,t=""){return Object.entries(
e??{}).flatMap(([n,s])=>s&&typeof s=="object"&&!Array.isArray(s)?As(s,t+n+"."):[[t+n,s]])}var sa=e=>e===void 0?"not set":e===!0?"yes":e===!1?"no":Array.isArray(
e)?e.map(sa).join(", "):typeof e=="object"&&e?As(e).map(([t,n])=>`${t} ${sa(n)}`).join(", "):String(e),vu=(e,t)=>t.split(".").reduce((n,s)=>n?.[s],e);function Sf(e,t){
let n=/(?:--set |--)?(source\.\w+)/.exec(e.hint??"")?.[1];return n||(e.class==="not_found"?t.find(s=>s==="segment"||s==="campaign")??"":Ln[e.class]?.field?Ln[e.
class].field:t.find(s=>e.class==="invalid_job"&&e.message?.includes("/"+s.replaceAll(".","/")))??"")}function uo({cause:e,filter:t,onClose:n,onDone:s=()=>{}}){let[
o,r]=z(null),[d,c]=z(""),[$,w]=z(""),[j,E]=z(""),[v,R]=z(null),[U,J]=z(""),ie=d&&$.trim()?{[d]:$.trim()}:{};Ce(()=>{let Pe=!1;return Ie("/api/letters/plan",{filter:t}).
then(Ke=>{if(Pe)return;r(Ke);let re=Sf(e,wu(Ke,e));c(re),w(re&&re===Ln[e.class]?.field?Ln[e.class].value??"":"")},Ke=>Pe||J(Ke.message)),()=>{Pe=!0}},[]),Ce(()=>{
d&&document.querySelector("dialog[open] [data-first]")?.focus()},[o]),Ce(()=>{if(!o)return;if(!Object.keys(ie).length){R(d?null:o);return}R(null);let Pe=!1,Ke=setTimeout(
()=>Ie("/api/letters/plan",{filter:{...t,through:o.through},set:ie}).then(re=>Pe||(R(re),J("")),re=>Pe||J(re.message)),250);return()=>{Pe=!0,clearTimeout(Ke)}},
[o,d,$]);let ye=async()=>{await Ie("/api/letters/replay",{filter:{...t,through:o.through},set:ie,reason:j.trim()||Tf(e,ie)}),Je(`${F(v.count,"job")} will be ${d?
"changed and ":""}replayed: the progress is on this page`),s()},de=o?wu(o,e):[],tt=d?"Fix and replay":"Replay";return a`<${Ve} title="Fix and replay" wide act=${v?
`${tt} ${F(v.count,"job")}`:tt} ready=${v?.count>0&&(!d||v.changed>0)} onAct=${ye} onClose=${n}>
    <${he} level="bad" says=${e.class?a`${Ht(e.class)}: <${Dt} text=${e.message} />`:e.message} hint=${e.hint} of=${e.class} />
    ${U&&a`<${Xt} says=${U} />`}
    ${!o&&!U&&a`<${nn} />`}
    ${o&&a`
      <div class="pair"><${ze} name="What to change"><select value=${d} onChange=${Pe=>{c(Pe.target.value),w("")}}>
          <option value="" selected=${d===""}>Nothing: it is repaired elsewhere</option>
          ${de.map(Pe=>a`<option value=${Pe} selected=${Pe===d}>${Ha(Pe)}</option>`)}</select><//>
        ${d&&a`<${ze} name="New value">${Bi.includes(d)?a`<select value=${$} onChange=${Pe=>w(Pe.target.value)} data-first key=${d}>${[["","Choose …"],["true",
"yes"],["false","no"]].map(([Pe,Ke])=>a`<option value=${Pe} selected=${Pe===$}>${Ke}</option>`)}</select>`:a`<input type="text" value=${$} onInput=${Pe=>w(Pe.target.
value)} data-first autofocus key=${d} />`}<//>`}</div>
      <${Df} plan=${v??o} field=${d} value=${$.trim()} />
      ${v?a`<${Rf} plan=${v} field=${d} />`:d&&$.trim()&&!U?a`<${nn} />`:null}`}
    <${ze} name="Reason" hint=${`Recorded in the audit with your name, ${pt.user}. May be left empty.`}><input type="text" maxlength="1000" value=${j} onInput=${Pe=>E(
Pe.target.value)} /><//>
  <//>`}function wu(e,t){let n=e.sample[0]?.before,s=As(n).map(([r])=>r).filter(r=>!["id","v","source.ids"].includes(r)),o=Ln[t.class]?.field;return[...new Set(
[...s,...n?.source?jf:[],...o?[o]:[]])]}var Tf=(e,t)=>{let[[n,s]=[]]=Object.entries(t);return`${n?`${Ha(n)} set to ${Bi.includes(n)?sa(s==="true"):s}`:"repaired\
 elsewhere"}: ${e.message}`.slice(0,300)};function Df({plan:e,field:t,value:n}){return e.sample.length===0?null:a`<table class="cards diff"><thead><tr><th>Sample</th>${t?
a`<th>Now</th><th>Then</th>`:a`<th>Job</th>`}</tr></thead><tbody>
    ${e.sample.map(s=>a`<tr key=${s.seq}><td class="break">${s.id??`letter ${s.seq}`}</td>
      ${t?a`<td class="break" data-name="Now"><del>${sa(vu(s.before,t))}</del></td><td class="break" data-name="Then">${n?a`<ins>${s.fields.length?sa(vu(s.after,
t)):Bi.includes(t)?sa(n==="true"):n}</ins>`:a`<span class="faint">type the new value</span>`}</td>`:a`<td class="break whole small soft">${As(s.before).filter(([
o])=>!["id","v"].includes(o)).slice(0,5).map(([o,r])=>`${Ha(o)} ${sa(r)}`).join(", ")}</td>`}</tr>`)}</tbody></table>`}function Rf({plan:e,field:t}){return a`<p><b>${F(
e.count,"job")}</b> will be ${t?"changed and published again":"published again as they are"}${e.seconds>10?`; this takes at least ${Zt(e.seconds)}`:""}. Uploads continue where they stopped${t?
", unless what they read changes":""}.</p>
    ${e.refused>0&&a`<${he} level="warn" says=${`${F(e.refused,"letter")} stay as they are: this value is not possible there`} hint=${a`<${Tt} text=${e.says} />`} />`}
    ${e.skipped>0&&a`<${he} level="warn" says=${`${S(e.skipped)} skipped`}>${e.left.slice(0,3).map(n=>a`<div class="small break">${n.id??`letter ${n.seq}`}: ${n.
why}</div>`)}<//>`}`}var Af=15*6e4,yu=new Set;function ir(){let e=je("/api/replays",["replays"]),[,t]=z(0),n=ut();return(e.data?.replays??[]).filter(o=>!yu.has(o.id)&&(!o.finished||
n-new Date(o.finished)<Af)).map(o=>a`<${Ef} key=${o.id} r=${o} onHide=${()=>{yu.add(o.id),t(r=>r+1)}} />`)}function Mf(e){return e.error?"Replay failed":e.stopped?
"Replay stopped":e.finished?"Replay finished":e.report.planned===0&&e.report.changed>0?"Changing the jobs …":"Replaying …"}function Ef({r:e,onHide:t}){let n=e.
report,s=Math.max(n.planned,1),o=e.finished&&!e.stopped&&!e.error;return a`<section class="card"><div class="body replay">
    <div class="head"><b class="title">${Mf(e)}</b>
      <span class="soft">by ${e.by}, <${se} at=${e.started} />${e.rate?`, ${dn(e.rate)} a second`:""}</span>
      ${!e.finished&&Ge("operator")&&a`<button class="small danger" onClick=${()=>Ie(`/api/replays/${e.id}/stop`).catch(r=>Je(r.message,!0))}>Stop</button>`}
      ${e.finished&&a`<button class="small bare" onClick=${t}>Hide</button>`}</div>
    <progress max=${s} value=${o?s:n.replayed+n.skipped} aria-label="Replayed"></progress>
    <div class="small soft">${n.changed>0&&`${F(n.changed,"job")} changed, `}${S(n.replayed)} of ${S(n.planned)} replayed${n.skipped?`, ${S(n.skipped)} skipped`:
""}${e.stopped?"; the other letters were kept":""}</div>
    ${n.replayed>0&&e.finished&&a`<${Pf} p=${n} />`}
    ${n.left?.length>0&&a`<details class="small"><summary>Why letters were skipped</summary>${n.left.map(r=>a`<div class="break">${r.id??`letter ${r.seq}`}: ${r.
why}</div>`)}</details>`}
    ${e.error&&a`<${he} level="bad" says=${e.error} />`}
  </div></section>`}function Pf({p:e}){let t=Math.max(0,e.replayed-e.done-e.failedAgain-e.cancelled);return a`<div class="small"><span class="good-ink">${S(e.done)} done</span>${t>
0&&a`, <span class="soft">${S(t)} not ended yet</span>`}${e.cancelled>0&&`, ${S(e.cancelled)} cancelled`}${e.failedAgain>0&&a`, <a class="bad-ink strong" href=${"\
#/letters"+Te({replay:e.name})}>${S(e.failedAgain)} failed again</a>`}</div>`}var If={done:"good",held:"warn",approved:"good",rejected:""},lr=({is:e})=>a`<span class="badge ${If[e]??""}">${e}</span>`,zf={pause:"warn",resume:"good",decrease:"\
warn",increase:"good",held:"warn",notify:"warn",unknown:"",none:""},Ms=({is:e})=>a`<span class="badge ${zf[e]??""}">${e}</span>`,Es=e=>e.from===e.to?`${e.from} ${e.
currency??""}`:`${e.from} → ${e.to} ${e.currency??""}`;function Ps(e){let t=new Map;for(let n of e){let s=n.level?["",n.date,n.rule,n.action,n.wants,n.guard,n.
left,n.bidding?.field??n.reason].join(`
`):[n.date,n.campaign,n.creative,n.bidding?.field].join(`
`);t.has(s)?t.get(s).parts.push(n):t.set(s,n.level?{...n,key:s,parts:[n]}:{...n,key:s})}return[...t.values()]}var Is=e=>e.parts&&e.bidding?e.reason.replace(/ from [\d.]+ to [\d.]+( [A-Z]{3})?/,
""):e.reason;function Ca({d:e}){if(e.parts){let n=e.bidding?[`${bn[e.bidding.field]}`,`${bn[e.bidding.field]}s`]:["creative"];return a`<details><summary>${F(e.parts.
length,...n)} of ${F(new Set(e.parts.map(s=>s.campaign)).size,"campaign")}</summary>${e.parts.map(s=>a`<div key=${s.key}><${Ca} d=${s} /></div>`)}</details>`}let t=a`<div class="note"><a href=${oe(
"campaigns",e.campaign)}>${e.campaign}</a></div>`;return e.bidding?a`<a class="id" href=${oe("rules","why",e.campaign)}>${bn[e.bidding.field]}</a>${(e.action!==
"unknown"||e.bidding.from>0)&&a`<div class="note">${Es(e.bidding)}</div>`}${t}`:a`<a class="id" href=${oe("rules","why",e.creative)}>${e.creative}</a>${t}`}var Of=[
"pause","resume","decrease","increase","held","notify","unknown","none"],xu={pause:["pause"],resume:["resume"],decrease:["decrease"],increase:["increase"],notify:[
"notice"],none:["unchanged","unchanged"]},po=e=>["pause","resume","decrease","increase"].reduce((t,n)=>t+(e.counts?.[n]??0),0),ho=e=>e.warnings?.some(t=>t.code===
"stopped");function zs(e){let{counts:t,state:n,leftOut:s}=e,o=s?.length??0,r=_s(e)-o,d=n!=="done"&&(r!==t?.held||po(e)>0)?` (${S(r)} ${n==="held"?`${r===1?"wait\
s":"wait"} for approval`:n}${o?`, ${S(o)} dropped`:""})`:"",c=Of.filter($=>t?.[$]).map($=>xu[$]?F(t[$],...xu[$]):`${S(t[$])} ${$}${$==="held"?d:""}`);return ho(
e)&&c.push("held back by the stop switch"),c.length?c.join(", "):"no decisions"}function Ba({metrics:e}){let t=Object.entries(e??{});return t.length?a`<div class="small">${t.
map(([n,s])=>a`<span class="tag">${n} ${dn(s)}</span> `)}</div>`:null}function Os({p:e}){return e?a` <span class="badge warn">paused</span><div class="note warn-ink">paused by ${e.
by} <${se} at=${e.at} />${e.reason&&`: ${e.reason}`}</div>`:null}var Ji=100;function dr({title:e,days:t,lines:n,legend:s}){if(n.length===0)return null;let o=matchMedia("(max-width: 700px)").matches?3:8;return a`<${Q} title=${e} side=${a`<span class="faint small">point at a cell to see why</span>`}>
    <div class="days" tabindex="0" role="region" aria-label=${e} style=${`--days: ${t.length}`}>${n.slice(0,Ji).map(([r,d])=>a`<b class="small" title=${r}>${r}</b>${d.
map(c=>a`<span class="cell ${c.look}" title=${c.title}>${c.text}</span>`)}`)}
      <i></i>${t.map((r,d)=>a`<span class="small faint">${d%Math.ceil(t.length/o)===0?r.slice(5):""}</span>`)}</div>
    <div class="small faint">${s.map(([r,d])=>a`<span class="cell ${r}"></span> ${d} `)}${n.length>Ji&&`· ${S(n.length-Ji)} more lines are not shown`}</div><//>`}
function cr(e,t,n){let s=new Map;for(let o of e){s.has(t(o))||s.set(t(o),new Map);let r=s.get(t(o));r.set(n(o),[...r.get(n(o))??[],o])}return s}var ku=e=>new Date(ut()-e*864e5).toISOString().slice(0,10);function Cu({params:e}){let t=je("/api/rules"),n=[...new Set((t.data?.rules??[]).map(v=>v.file))],s=e.
file??n[0]??"",[o,r]=z(e.from??ku(31)),[d,c]=z(e.to??ku(1)),[$,w]=z({}),j=async v=>{w({busy:!0});try{w({outcome:await On("/api/rules/backtest"+Te(v))})}catch(R){
w({error:R.message})}};Ce(()=>{e.file&&e.from&&e.to&&j(e)},[e.file,e.from,e.to]);let E=v=>{v.preventDefault();let R={file:s,from:o,to:d};e.file===s&&e.from===o&&
e.to===d?j(R):et(R)};return a`<${He} title="Backtest" crumb=${a`<a href="#/rules">Rules</a>`} sub="What the rules would have done on past days, and how much they would have saved. Nothing was changed.">
    <form class="filters" onSubmit=${E}>
      <${Jn} label="Rule file" value=${s} onPick=${v=>et({file:v,from:"",to:""})} options=${n.map(v=>[v,v])} />
      <input class="date" type="date" aria-label="First day" required value=${o} onInput=${v=>r(v.target.value)} />
      <input class="date" type="date" aria-label="Last day" required value=${d} onInput=${v=>c(v.target.value)} />
      <button class="primary" disabled=${$.busy||!s}>${$.busy?"Reading reports …":"Run"}</button>
    </form>
    ${$.error&&a`<${Xt} says=${$.error} />`}
    ${$.busy&&a`<div class="card"><${nn} /></div>`}
    ${$.outcome&&a`<${Lf} o=${$.outcome} />`}
    ${!$.outcome&&!$.busy&&!$.error&&a`<div class="card"><${Me} title="Choose days">The rules are evaluated once for each day, on the platform's reports.<//></div>`}
  <//>`}function Lf({o:e}){let t=e.summary;return a`${t.spend===0&&a`<${he} level="warn" says="The reports have no spend of these days" hint="So the rules have nothing to decide on, and nothing to save. Choose days with reports." />`}
    <div class="figures">
      <${_t} name="Saved" meaning=${We.saved} value=${dn(t.saved)} note=${`${t.atMost&&t.saved>0?"at most, ":""}of ${dn(t.spend)} spent`} />
      <${_t} name="Pauses" meaning=${We.pauses} value=${S(t.pauses)} note=${F(t.resumes,"resume")} />
      <${_t} name="Held" meaning=${We.held} value=${S(t.held)} note=${t.unknown>0?`and ${S(t.unknown)} unknown`:"by limits and guards"} />
      <${_t} name="Missed clicks" meaning=${We.missed} value=${Un(t.missed.clicks)} note=${`${Un(t.missed.impressions)} impressions`} />
    </div>
    ${t.byNumber&&a`<${Nf} all=${t.byNumber} />`}
    ${t.byDay.length>1&&a`<${Ff} days=${t.byDay} key=${t.from+t.to} />`}
    <${_u} title="Creatives by day" days=${t.byDay} decisions=${e.decisions.filter(n=>!n.bidding)} />
    <${_u} title="Budgets and bids by day" days=${t.byDay} decisions=${e.decisions.filter(n=>n.bidding)} />
    <${Q} title="By rule" flush><${at} name="rules" rows=${t.rules} columns=${[["Rule",n=>n.rule],["Saved",n=>n.saved,!0],["Pauses",n=>n.pauses,!0],["Resumes",n=>n.
resumes,!0],...t.byNumber?[["Decreases",n=>n.decreases,!0],["Increases",n=>n.increases,!0]]:[],["Held",n=>n.held,!0]]}>${n=>a`<tr><td class="strong break">${n.rule}</td><td class="num" data-name="Saved">${dn(
n.saved)}</td><td class="num" data-name="Pauses">${S(n.pauses)}</td><td class="num" data-name="Resumes">${S(n.resumes)}</td>${t.byNumber&&a`<td class="num" data-name="Decreases">${S(
n.decreases)}</td><td class="num" data-name="Increases">${S(n.increases)}</td>`}<td class="num" data-name="Held">${S(n.held)}</td></tr>`}<//>
      ${t.readAsAct&&a`<div class="foot">All rules were evaluated as if in mode act. Rules in another mode: ${t.readAsAct.join(", ")}</div>`}
      ${t.withoutHours&&a`<div class="foot">active_hours were ignored. Rules with them: ${t.withoutHours.join(", ")}</div>`}
      ${t.atMost&&t.saved>0&&a`<div class="foot">Saved is at most this for rules with resume_when, which see the report's spend also while they pause: ${t.atMost.
join(", ")}</div>`}
      ${t.wholeDay&&a`<div class="foot">The window today was the report's row of the whole day. Rules with it: ${t.wholeDay.join(", ")}</div>`}<//>
    <${Q} title="What would have changed" flush>${e.decisions.length===0?a`<${Me} title="No rule would have changed anything">${t.unknown>0&&`${F(t.unknown,"dec\
ision")} could not be made: the reports lack what the conditions read.`}<//>`:a`<${at} rows=${e.decisions.slice(0,300)} columns=${[["Day",n=>n.date],["Subject",
n=>n.creative||n.campaign],["Action",n=>n.action],["Why",n=>n.rule]]}>${n=>a`<tr><td class="nowrap">${n.date}</td><td class="break"><${Ca} d=${n} /></td>
          <td><${Ms} is=${n.action} /></td><td class="whole break">${n.reason}<div class="note">${n.rule}</div></td></tr>`}<//>
        ${e.decisions.length>300&&a`<div class="foot">The first 300 of ${S(e.decisions.length)}</div>`}`}<//>`}function Ff({days:e}){let t=Yt(()=>[e.map(n=>Date.
parse(n.date)/1e3),e.map(n=>n.spend),e.map(n=>n.saved)],[e]);return a`<${Q} title="Spend by day" side=${a`<span class="faint small">in the account's currency</span>`}>
    <${ka} data=${t} values=${Un} height=${220} unit="spend" label="Spend by day, and what the rules would have saved"
      lines=${[["spent","--c-suppressed"],["would have been saved","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function Nf({all:e}){return a`<${Q} title="Budgets and bids" flush><${at} name="numbers" rows=${e} columns=${[
["Campaign",t=>t.campaign],["Would have set",t=>t.change.to],["Decreases",t=>t.decreases,!0],["Increases",t=>t.increases,!0],["Held",t=>t.held,!0]]}>${t=>a`<tr><td class="strong break">${t.
campaign}<div class="note">${bn[t.change.field]}</div></td><td>${t.decreases+t.increases>0?Es(t.change):`stays ${Es({...t.change,to:t.change.from})}`}</td>
      <td class="num" data-name="Decreases">${S(t.decreases)}</td><td class="num" data-name="Increases">${S(t.increases)}</td><td class="num" data-name="Held">${S(
t.held)}</td></tr>`}<//>
    <div class="foot">What would have been spent with them is unknown: spend is as reported.</div><//>`}function _u({title:e,days:t,decisions:n}){let s=[...cr(n,
r=>r.bidding?`${r.campaign} ${bn[r.bidding.field]}`:r.creative,r=>r.date)],o=[["pause","paused"],["decrease","decreased"],["increase","increased"],["held","held\
 back"]].filter(([r])=>n.some(d=>d.action===r));return a`<${dr} title=${e} days=${t.map(r=>r.date)} legend=${o} lines=${s.map(([r,d])=>[r,Wf(t,d)])} />`}function Wf(e,t){
let n=!1;return e.map(s=>{let o=t.get(s.date)?.at(-1);return(o?.action==="pause"||o?.action==="resume")&&(n=o.action==="pause"),{look:n?"pause":o&&o.action!=="r\
esume"?o.action:"",title:o?`${o.date}: ${o.action} by ${o.rule}: ${o.reason}`:`${s.date}: ${n?"still paused":"no change"}`,text:o?.bidding&&o.action!=="held"&&e.
length<=14?o.bidding.to:""}})}var Ki=({s:e})=>a`kept by ${e.by||"somebody"} until ${e.until?a`<time datetime=${e.until}>${It(e.until)}</time>`:"released"}`;function Gi({s:e}){return e?a`<div class="note warn-ink"><${Ki} s=${e} />${e.
reason&&`: ${e.reason}`} <span class="faint">(<${se} at=${e.at} />)</span></div>`:null}var Ja="date",ju=[["2h","for 2 hours"],["tomorrow","until tomorrow"],["mo\
nday","until Monday"],["released","until somebody hands it back"],[Ja,"until a date …"]];function Vi({until:e,onUntil:t,required:n}){let s=ju.some(([r])=>r===
e),o=e===""||s?e:Ja;return a`<${ze} name="Rules" hint="A day begins in the time zone of the account's rules. While they leave it alone, no cap stops it.">
      <select value=${o} onChange=${r=>t(r.target.value)}>
        ${!n&&a`<option value="" selected=${o===""}>may change it at once</option>`}
        ${ju.map(([r,d])=>a`<option value=${r} selected=${o===r}>leave it alone ${d}</option>`)}
      </select><//>
    ${o===Ja&&a`<${ze} name="Until the beginning of"><input type="date" required value=${s?"":e} onInput=${r=>t(r.target.value||Ja)} /><//>`}`}function ur({code:e,
campaign:t="",kept:n,what:s="it",onDone:o=()=>{}}){let[r,d]=z("");return Ge("operator")?a`<button class="small" onClick=${()=>d(n?"release":"keep")}>${n?"Hand b\
ack to rules …":`Keep rules from ${s} …`}</button>
    ${r&&a`<${qf} code=${e} campaign=${t} way=${r} what=${s} onClose=${()=>d("")} onDone=${o} />`}`:null}function qf({code:e,campaign:t,way:n,what:s,onClose:o,onDone:r}){
let[d,c]=z(""),[$,w]=z("tomorrow"),j=n==="keep",E=s==="it"?e:`the ${s} of ${e}`,v=async()=>{await Ie(`/api/rules/${n}`,j?{code:e,campaign:t,until:$,reason:d}:{code:e,
reason:d}),Je(j?`Rules leave ${E} alone`:`Rules may change ${E} again`),r()};return a`<${Ve} title=${j?`Keep rules from ${E}?`:`Hand ${E} back to rules?`} act=${j?
"Keep":"Hand back"} ready=${d.trim()&&(!j||$!==Ja)} onAct=${v} onClose=${o}>
    <p>${j?"Rules leave it as it is, whoever has changed it: somebody here, or somebody on the platform itself.":"The next run of each rule decides on it again."}</p>
    ${j&&a`<${Vi} until=${$} onUntil=${w} required />`}
    <${ze} name="Reason" hint="Shown beside it, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${d} onInput=${R=>c(
R.target.value)} data-first /><//>
  <//>`}var Hf=e=>{let t=e.jobs?.length>0?po(e):0,n=_s(e);return t?`${F(t,"change")} of this run ${t===1?"has its job":"have their jobs"}, and ${S(n)} ${n===1?"waits":"\
wait"} for approval`:"This run waits for approval"},Uf=({run:e})=>["approved","rejected"].includes(e.state)?a`<${he} level=${e.state==="approved"?"good":""} says=${a`${e.
state==="approved"?"Approved":"Rejected"} by ${e.by||"somebody"}, <${se} at=${e.judged??e.at} />`} hint=${`It was held: ${e.why}`} />`:a`<${he} says=${e.why} />`,
Bf={failed:["bad","It decided nothing: its job failed"],cancelled:["","It decided nothing: its job was cancelled"],done:["","No decisions of it are on record","\
Its job says so if no rule was in scope. A run that changed nothing is kept for two days."]};function Jf({id:e,job:t}){let[n,s,o]=Bf[t.state]??["","It has not d\
ecided yet","This page shows its decisions as soon as there are some."];return a`<${he} level=${n} says=${s} hint=${o}><div class="acts-line"><a class="button small" href=${oe(
"jobs",e)}>Its job</a></div><//>`}function Du({id:e}){let t=je("/api/rules/runs/"+encodeURIComponent(e),["rules","job "+e]),[n,s]=z(""),o=t.data?.run,r=o?.state===
"held",d=o&&Ge("operator")&&a`
    ${r&&a`<button class="primary" onClick=${()=>s("approve")}>Approve …</button><button class="danger" onClick=${()=>s("reject")}>Reject …</button>`}
    ${o.jobs?.length>0&&a`<button onClick=${()=>s("undo")}>Undo …</button>`}`;return a`<${He} title=${e} crumb=${a`<a href="#/rules">Rules</a>`} sub=${o&&a`<${lr} is=${o.
state} /> ${o.undoOf?`undoes ${o.undoOf}`:o.file} · ${zs(o)}`} acts=${d}>
    <${ht} result=${t}>${c=>c.run===null?a`<${Jf} id=${e} job=${c.job} />`:a`
      ${c.undone.map($=>a`<${he} key=${$.id} says=${a`Undone by ${$.by||"somebody"}, <${se} at=${$.at} />`}><div class="acts-line"><a class="button small" href=${oe(
"rules","runs",$.id)}>What was undone</a></div><//>`)}
      ${r&&a`<${he} level="warn" says=${Hf(c.run)} hint=${c.run.why} />`}
      ${c.run.warnings?.length>0&&a`<${he} level="warn" says=${ho(c.run)?"The stop switch held back changes of this run":`${F(c.run.warnings.length,"change")} n\
ot carried out by the approval`}><ul class="small">${c.run.warnings.slice(0,20).map($=>a`<li class="break">${$.description}</li>`)}</ul><//>`}
      ${!r&&c.run.why&&a`<${Uf} run=${c.run} />`}
      <div class="grid two-one">
        <${Kf} run=${c.run} all=${c.decisions} more=${c.more} />
        <${Q} title="Facts"><dl class="facts">
          <dt>Account</dt><dd>${c.run.account}</dd>
          <dt>As of</dt><dd>${It(c.run.asOf)}</dd>
          <dt>Decided</dt><dd><${se} at=${c.run.at} /></dd>
          ${c.run.by&&a`<dt>By</dt><dd>${c.run.by}${c.run.reason&&`: ${c.run.reason}`}</dd>`}
          ${c.run.jobs?.length>0&&a`<dt>Jobs</dt><dd>${c.run.jobs.slice(0,20).map($=>a`<div class="break"><a href=${oe("jobs",$)}>${$}</a></div>`)}</dd>`}
        </dl><//></div>`}<//>
    ${n&&a`<${fo} id=${e} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}var Ru=(e,t)=>e.state!=="approved"&&(!e.approvals?.length||e.approvals.at(-1).waiting.includes(Ls(t))),Su=(e,t)=>co(t)&&!t.left&&!Ru(e,t);function Kf({run:e,
all:t,more:n}){return a`<${Q} title="Decisions" flush>${t.length===0?a`<${Me} title="Nothing to change">What stays as it is is counted but not listed.<//>`:a`<${at} rows=${Ps(
t)} columns=${[[t.every(s=>s.bidding)?"Number":"Creative",s=>s.creative||s.campaign],["Action",s=>s.action],["Why",s=>s.rule]]}>${s=>a`<tr key=${s.key}>
        <td><${Ca} d=${s} /></td>
        <td><${Ms} is=${Su(e,s)?s.wants:s.action} />${Su(e,s)?a`<div class="note">approved</div>`:s.wants&&a`<div class="note">would ${s.wants}${s.left?", left \
out of the approval":s.guard&&s.guard!=="approval"?`, held by ${s.guard}`:""}</div>`}${s.notice&&a`<div class="note">notifies</div>`}</td>
        <td class="whole"><${Au} d=${s} /></td></tr>`}<//>
      ${n>0&&a`<div class="foot">${S(n)} more, which the command <code>usher rules runs show</code> lists</div>`}`}<//>`}function Au({d:e}){return a`<div class="break">${Is(
e)}</div><${Ba} metrics=${e.metrics} />
    ${e.values?.length>0&&a`<details class="small"><summary>${F(e.values.length,"step")} of ${e.rule}</summary>
      ${e.values.map(t=>a`<div class="break"><code>${t.expression}</code> = ${isNaN(t.result)?t.result:dn(Number(t.result))}</div>`)}</details>`}`}var Gf={approve:[
"Approve this run?","Approve","What is still wanted below is carried out now, by one job for each campaign: by the same rule and the same days, and by the repor\
t as it is now."],reject:["Reject this run?","Reject","Its decisions are not carried out. The next run decides again."],undo:["Undo this run?","Undo","Creatives\
 that this run paused are resumed, and vice versa, and budgets and bids are set back, unless somebody has changed them since."]},Ls=e=>`${e.campaign}/${e.bidding?.
field??e.creative}`,Tu=({d:e})=>e.parts?a`<b>${e.wants}</b> <${Ca} d=${e} />`:a`<b>${e.wants}</b> ${e.bidding?`${bn[e.bidding.field]} ${Es(e.bidding)}`:e.creative}<div class="note">${e.
campaign}</div>`,Vf=({s:e})=>a`<p><b>Spend at stake: ${Object.entries(e.gross).map(([t,n])=>`${so(n)} ${t}`).join(", ")||"nothing"}</b> <span class="soft">spent on what would change, from ${e.
from} to ${e.to}</span></p>`,Yf=({d:e,of:t})=>[...new Map((e.parts??[e]).map(n=>t?.[Ls(n)]).map(n=>[JSON.stringify(n),n])).values()].slice(0,5).map(n=>a`<${Zf} s=${n} />`);
function Zf({s:e}){return!e||e.is==="wanted"?null:a`<div class="note warn-ink">${e.is==="unknown"?"Cannot be decided now, and stays held":"No longer wanted, and\
 is left out"}: ${e.why}</div>`}function Xf({id:e,left:t,setLeft:n}){let s=je(`/api/rules/runs/${encodeURIComponent(e)}/review`),o=je("/api/rules/runs/"+encodeURIComponent(
e)),r=c=>(c.parts??[c]).every($=>t.includes(Ls($))),d=c=>{let $=(c.parts??[c]).map(Ls);n(r(c)?t.filter(w=>!$.includes(w)):[...t,...$])};return a`<${ht} result=${o}>${({
run:c,decisions:$})=>{let w=$.filter(E=>co(E)&&!E.left&&Ru(c,E)),j=$.filter(E=>E.action==="held"&&!co(E));return a`${s.data?.wrong?a`<${he} level="bad" says="This run cannot be approved" hint=${s.
data.wrong} />`:s.data?.stake?a`<${Vf} s=${s.data.stake} />`:s.error?a`<${he} level="warn" says="It is not known whether its changes are still wanted" hint=${s.
error} />`:a`<p class="soft">Deciding again by the report as it is now …</p>`}
      <p class="soft">Held <${se} at=${c.at} /> · ${c.why}</p>
      <div class="scroll block">${w.length>0&&a`<table class="tight"><thead><tr><th class="tick"><span class="sr">Approve</span></th><th>What would change</th><th>Rule and reason</th></tr></thead><tbody>
      ${Ps(w).map(E=>a`<tr key=${E.key}><td class="tick"><input type="checkbox" aria-label=${`Approve ${E.wants} of ${E.parts?`all ${E.parts.length} together`:Ls(
E)}`} checked=${!r(E)} onChange=${()=>d(E)} /></td><td class="break"><${Tu} d=${E} /></td>
        <td class="break">${E.rule}<div class="note">${Is(E)}</div><${Yf} d=${E} of=${s.data?.standing} /></td></tr>`)}</tbody></table>`}
      ${j.length>0&&a`<table class="tight"><thead><tr><th>Not carried out by an approval</th><th>Rule and reason</th></tr></thead><tbody>
      ${Ps(j).map(E=>a`<tr key=${E.key}><td class="break"><${Tu} d=${E} /></td><td class="break">${E.rule}<div class="note">${Is(E)}</div></td></tr>`)}</tbody></table>`}</div>`}}<//>`}
async function Qf(e,t){let{decisions:n,more:s}=await On("/api/rules/runs/"+encodeURIComponent(e));if(s)throw new Error("This run has too many decisions to appro\
ve it in part on this page: approve or reject it whole.");return n.filter(co).map(Ls).filter(o=>!t.includes(o))}function fo({id:e,way:t,onClose:n,onDone:s}){let[
o,r]=z(""),[d,c]=z([]),[$,w,j]=Gf[t],E=async()=>{let{undo:v,left:R,warnings:U,state:J}=await Ie(`/api/rules/runs/${encodeURIComponent(e)}/${t}`,d.length?{reason:o,
only:await Qf(e,d)}:{reason:o});if(U?.length)Je(`Run ${e} is ${J==="held"?"approved in part":"approved"}. Not carried out: ${F(U.length,"change")}; ${U[0].description}`);else if(t!==
"undo")Je(`Run ${e} is ${w.toLowerCase()}${w.endsWith("e")?"d":"ed"}`);else if(v)Je(`Undoing run ${e}${R.length?`; ${R.length} not changed: ${R[0]}`:""}`);else throw new Error(
`There is nothing to undo${R.length?": "+R[0]:""}`);s()};return a`<${Ve} title=${$} act=${w} wide=${t==="approve"} danger=${t!=="approve"} ready=${t!=="undo"||o.
trim()} onAct=${E} onClose=${n}>
    <p>${j}</p>
    ${t==="approve"&&a`<${Xf} id=${e} left=${d} setLeft=${c} />${d.length>0&&a`<p class="warn-ink">${F(d.length,"change")} left out: dropped, and not carried out.</p>`}`}
    <${ze} name="Reason" hint="Recorded with the run and your name."><input type="text" maxlength="1000" value=${o} onInput=${v=>r(v.target.value)} data-first /><//>
  <//>`}var em=e=>e===!1?"The rule has no resume_when, so it does not resume it: it stays paused until a person resumes it.":e?"Nobody has changed it since, so \
the rule may resume it.":"No worker uses this rule now. It resumes the creative only if it has resume_when or active_hours, and nobody else changes it.";function Mu({
creative:e}){let t=je("/api/rules/why/"+encodeURIComponent(e),["audit","rules"]);return a`<${He} title=${e} crumb=${a`<a href="#/rules">Rules</a> · why`} sub=${t.
data?.campaigns?.includes(e)?"What was changed on the budget and the bid of this campaign, what was decided but not changed, and why.":"What was changed on this\
 creative, what was decided but not changed, and why."} acts=${t.data&&a`<${ur} code=${e} campaign=${t.data.campaigns?.[0]} kept=${t.data.kept} onDone=${t.reload} />`}>
    <${ht} result=${t}>${n=>a`
      ${n.owner&&a`<${he} level="warn" says=${`Paused by the rule ${n.owner.file}/${n.owner.rule}`} hint=${em(n.resumes)} />`}
      ${n.kept&&a`<${he} level="warn" says=${a`Rules leave it alone: <${Ki} s=${n.kept} />`} hint=${n.kept.reason}><${wa}>usher rules release ${n.creative}<//><//>`}
      <${Q} title="Rules that may change it">${n.rules.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${n.rules.map(s=>a`<li><a href=${"#/rules"+Te(
{text:s.name})} class="break">${s.name}</a> <span class="tag">${ks(s.mode)}</span><${Os} p=${s.paused} /><div class="small soft break">${s.says}</div></li>`)}</ul>`}<//>
      <${Q} title="History">${n.pages.length===0?a`<${Me} title="No history">Neither a rule nor a person has changed it through usher.<//>`:a`<ul class="line">${[
...n.pages].reverse().map(s=>a`<${tm} p=${s} />`)}</ul>`}<//>`}<//>
  <//>`}function tm({p:e}){if(e.audit){let n=e.audit;return a`<li class=${n.after==="ACTIVE"||n.bidding?.to>n.bidding?.from?"good":"warn"}><b>${n.bidding?bn[n.bidding.
field]+" ":""}${Ut(n.before)} → ${Ut(n.after)}</b>${n.after!==n.wanted?a` <span class="bad-ink">(wanted ${Ut(n.wanted)})</span>`:""}
      <div class="soft break">${[n.rule||n.actor,e.approval?.wanted??n.reason].filter(Boolean).join(": ")}</div>${e.approval&&a`<div class="soft break">approved by ${[
e.approval.by,e.approval.reason].filter(Boolean).join(": ")}</div>`}<${Ba} metrics=${n.metrics} />
      <div class="small faint"><${se} at=${e.at} />${n.job&&a` · job <a href=${oe("jobs",n.job)}>${n.job}</a>`}</div></li>`}let t=e.decision;return a`<li class="info"><b>${t.
bidding?bn[t.bidding.field]+": ":""}${t.action==="none"?"not changed":t.action}${t.wants?`, wanted ${t.wants}`:""}</b> <span class="soft">by ${t.rule?`${e.file}\
/${t.rule}`:e.by}</span>
    <${Au} d=${t} />${e.outcome&&a`<div class="soft break">${e.outcome}</div>`}<div class="small faint"><${se} at=${e.at} /> · run <a href=${oe("rules","runs",
e.evaluation)}>${e.evaluation}</a>${e.by?` · ${e.state} by ${e.by}`:""}</div></li>`}function Eu({names:e,params:t}){let[n,s]=e;return n==="runs"&&s?a`<${Du} id=${s} key=${s} />`:n==="why"&&s?a`<${Mu} creative=${s} key=${s} />`:n==="backtest"?a`<${Cu} params=${t} />`:
a`<${nm} params=${t} />`}function nm({params:e}){let t=je("/api/rules",["rules","overview"]),[n,s]=z(""),o=t.data?.stopped,r=t.data&&a`${t.data.rules.length>0&&
a`<a class="button" href="#/rules/backtest">Backtest …</a>`}
    ${o==null?Ge("operator")&&a`<button class="danger" onClick=${()=>s("stop")}>Stop all campaign actions …</button>`:Ge("admin")&&a`<button class="primary" onClick=${()=>s(
"start")}>Start campaign actions …</button>`}`;return a`<${He} title="Rules" sub="Rules that change creatives, budgets and bids automatically, and the switch that stops all campaign actions." acts=${r}>
    <${ht} result=${t}>${d=>a`
      <${am} stopped=${d.stopped} />
      <${sm} runs=${d.runs.filter(c=>c.state==="held")} rules=${d.held} />
      <${om} week=${d.week} rules=${d.rules} runs=${d.runs} />
      <${rm} files=${[...new Set(d.rules.map(c=>c.file))]} />
      <${dm} rules=${d.rules} text=${e.text} />
      <${fm} runs=${d.runs} />`}<//>
    ${n&&a`<${Yi} way=${n} onClose=${()=>s("")} onDone=${t.reload} />`}
  <//>`}function am({stopped:e}){return e==null?a`<${he} level="good" says="Campaign actions are on" hint="Changes by rules and by hand are carried out." />`:a`<${he} level="bad" says=${`\
Campaign actions are stopped${e?": "+e:""}`} hint="No creative, budget or bid is changed. Jobs that come meanwhile end without a change." />`}function sm({runs:e,
rules:t}){let n=r=>{let d=t[r.id];return d?`${d.rules.length>1?"Rules":"Rule"} ${d.rules.join(", ")} of the file ${r.file}, for ${d.campaigns.slice(0,3).join(",\
 ")}${d.campaigns.length>3?` and ${S(d.campaigns.length-3)} more`:""}`:`A run of the file ${r.file}`},[s,o]=z("");return a`${e.map(r=>a`<${he} key=${r.id} level="warn" says=${a`${n(
r)}: ${zs(r)}${_s(r)===(r.counts?.held??0)&&po(r)===0?", waiting for approval":","} <${js} at=${r.at} />`} hint=${r.why}>
      <div class="acts-line">${Ge("operator")&&a`<button class="primary small" onClick=${()=>o(r.id)}>Approve …</button>`}<a class="button small" href=${oe("r\
ules","runs",r.id)}>Details</a></div><//>`)}
    ${s&&a`<${fo} id=${s} way="approve" onClose=${()=>o("")} onDone=${()=>{}} />`}`}function om({week:e,rules:t,runs:n}){if(t.length===0)return null;let s=$=>e.
reduce((w,j)=>w+j[$],0),o=ut()-7*864e5,r=n.filter($=>ho($)&&Date.parse($.at)>o).length,d=zn(o),c=zn(ut()-864e5);return a`<${Q} title="This week" flush side=${a`<span class="faint small">the last seven days</span>`}>
    ${e.length===0?a`<${Me} title="The rules changed nothing">No rule has paused or resumed anything, nothing waits, and each rule can decide.<//>`:a`<${at} name="week" rows=${e} columns=${[
["Rule",$=>$.rule],["Paused",$=>$.pauses,!0],["Resumed",$=>$.resumes,!0],["Budgets, bids",$=>$.numbers,!0],["Waits",$=>$.held,!0],["Cannot decide on",$=>$.blind,
!0]]}>${$=>a`<tr key=${$.rule}>
        <td class="strong break"><a href=${"#/rules"+Te({text:$.rule})}>${$.rule}</a></td>
        <td class="num" data-name="Paused">${S($.pauses)}</td><td class="num" data-name="Resumed">${S($.resumes)}</td><td class="num" data-name="Budgets, bids">${S(
$.numbers)}</td>
        <td class="num" data-name="Waits">${$.held?a`<b class="warn-ink">${F($.held,"run")}</b>`:"0"}</td><td class="num" data-name="Cannot decide on">${$.blind?
a`<b class="warn-ink">${S($.blind)}</b>`:"0"}</td></tr>`}<//>`}
    <div class="foot">${F(s("pauses"),"pause")}, ${F(s("resumes"),"resume")}, ${F(s("numbers"),"change")} of budgets and bids.${r>0&&` The stop switch held back\
 ${F(r,"run")}.`} What the rules save: ${[...new Set(t.map($=>$.file))].map($=>a`<a href=${"#/rules/backtest"+Te({file:$,from:d,to:c})}>backtest of ${$}</a> `)}</div><//>`}
function rm({files:e}){let[t,n]=z("");return e.length===0?null:a`<${Q} title="What would they do now?" side=${a`<div>${e.map(s=>a`<button class="small" aria-label=${`\
Preview ${s}`} aria-pressed=${s===t} onClick=${()=>n(s===t?"":s)}>${s}</button> `)}</div>`}>
    ${t?a`<${im} file=${t} key=${t} />`:a`<p class="soft">Choose a rule file. It is decided on the platform's reports as they are now, and nothing is changed.</p>`}<//>`}
function im({file:e}){let t=je("/api/rules/preview"+Te({file:e}));return a`<${ht} result=${t}>${n=>a`<p>${zs({counts:n.counts,state:"done"})}. Nothing was changed.</p>
    ${n.decisions.length>0&&a`<${at} name="preview" rows=${Ps(n.decisions)} columns=${[["Creative",s=>s.creative||s.campaign],["Would",s=>s.action],["Why",s=>s.
rule]]}>${s=>a`<tr key=${s.key}><td><${Ca} d=${s} /></td><td><${Ms} is=${s.action} />${s.wants&&a`<div class="note">wants ${s.wants}</div>`}</td><td class="whole break">${s.
rule}<div class="note">${Is(s)}</div></td></tr>`}<//>`}`}<//>`}var lm=e=>e.extras.filter(t=>["for","min_age","notify"].includes(t.key));function dm({rules:e,text:t=""}){
if(e.length===0)return a`<${Q} title="Rules"><${Me} title="No rules">Rules are written in files, which whoever runs usher lists in its configuration.<${wa}>usher rules backtest FILE<//><//><//>`;
let[n,s]=z(null),[o,r]=z(null),d=e.filter(c=>`${c.name} ${c.scope} ${c.extras.map($=>`${$.key} ${$.value}`).join(" ")} ${c.says}`.toLowerCase().includes(t.toLowerCase()));
return a`<${Q} title="Rules" flush side=${e.length>8&&a`<div><${Tn} label="Search rules …" value=${t} onText=${c=>et({text:c})} /></div>`}>
    <${at} rows=${d} columns=${[["Rule",c=>c.name],["Does",c=>c.says],["Last",c=>c.last&&Date.parse(c.last),!0],["Next",c=>c.next&&Date.parse(c.next),!0]]}>${c=>a`<tr key=${c.
name}>
        <td><span class="id">${c.name}</span> <span class="tag">${ks(c.mode)}</span><${Os} p=${c.paused} /><div class="note">${c.scope}${c.window&&` · ${c.window}`}</div>${lm(
c).map($=>a`<div class="note">${$.key} ${$.value}</div>`)}
          ${Ge("operator")&&a`<div class="inline-acts"><button class="bare small lane" onClick=${()=>r(c)} aria-label=${`Run ${c.name} now`}>Run now …</button> <button class="bare small lane" onClick=${()=>s(
c)} aria-label=${`${c.paused?"Resume":"Pause"} ${c.name}`}>${c.paused?"Resume this rule …":"Pause this rule …"}</button></div>`}</td>
        <td class="whole">${c.activeHours&&a`<div class="break">pause outside <code>${c.activeHours}</code></div>`}${c.pause&&a`<div class="break">${c.mode==="n\
otify"?"notify":"pause"} when <code>${c.pause}</code></div>`}${c.resume&&a`<div class="break">resume when <code>${c.resume}</code></div>`}${c.bidding&&a`<${hm} b=${c.
bidding} />`}</td>
        <td class="num" data-name="Last"><${se} at=${c.last} /></td>
        <td class="num" data-name="Next"><div>${c.next?a`<${se} at=${c.next} />`:a`<span class="faint">on request</span>`}${c.schedule&&a`<div class="note">${c.
schedule}</div>`}</div></td></tr>`}<//>${n&&a`<${pm} rule=${n} onClose=${()=>s(null)} />`}${o&&a`<${um} rule=${o} onClose=${()=>r(null)} />`}${d.length===0&&a`<${Me} title="No rule matches" />`}<//>`}
var cm={act:"What it decides is carried out at once: it may change creatives, budgets or bids.",approve:"What it decides waits until somebody approves it.",notify:"\
It reports what it finds, and changes nothing.",observe:"It records what it would do, and changes nothing."};function um({rule:e,onClose:t}){let n=async()=>{let{
id:s}=await Ie("/api/rules/run",{file:e.file,rule:e.name.slice(e.file.length+1)});location.hash=oe("rules","runs",s)};return a`<${Ve} title=${`Run rule ${e.name}\
 now?`} act="Run" onAct=${n} onClose=${t}>
    <p>It decides on the platform's reports as they are now. ${cm[e.mode]}</p>
  <//>`}function pm({rule:e,onClose:t}){let[n,s]=z(""),o=e.paused?"resume":"pause",r=async()=>{await Ie(`/api/rules/${o}`,{file:e.file,rule:e.name.slice(e.file.
length+1),reason:n}),Je(`Rule ${e.name} is ${o}d`)};return a`<${Ve} title=${`${e.paused?"Resume":"Pause"} rule ${e.name}?`} act=${e.paused?"Resume":"Pause"} danger=${!e.
paused} ready=${n.trim()} onAct=${r} onClose=${t}>
    <p>${e.paused?"It decides again at its next time. Nothing of the pause is made up for.":"It takes no decisions until somebody resumes it. Creatives that it \
has paused stay paused; what it decided before is carried out."}</p>
    <${ze} name="Reason" hint="Shown beside the rule, and recorded in the audit with your name."><input type="text" required maxlength="1000" value=${n} onInput=${d=>s(
d.target.value)} data-first /><//>
  <//>`}function hm({b:e}){return a`${e.decrease&&a`<div class="break">decrease the ${e.number} when <code>${e.decrease}</code></div>`}${e.increase&&a`<div class="break">increase the ${e.
number} when <code>${e.increase}</code></div>`}<div class="note">${e.by}</div>`}function fm({runs:e}){return a`<${Q} title="Runs" flush side=${a`<span class="faint small">newest first</span>`}>
    ${e.length===0?a`<${Me} title="No runs yet">Rules run on their schedule, or at once by Run now.<//>`:a`<${at} name="runs" rows=${e.slice(0,50)} columns=${[[
"Run",t=>t.id],["State",t=>t.state],["Decisions",t=>Object.values(t.counts??{}).reduce((n,s)=>n+s,0)],["When",t=>Date.parse(t.at),!0]]}>${t=>a`<tr key=${t.id}>
        <td><a class="id" href=${oe("rules","runs",t.id)}>${t.id}</a><div class="note">${t.undoOf?`undoes ${t.undoOf}`:t.rule?`${t.file}/${t.rule}`:t.file}${t.event?
" · event":""}</div></td>
        <td><${lr} is=${t.state} /></td>
        <td class="whole">${zs(t)}<div class="note">${t.by?`${t.by}${t.reason?": "+t.reason:""}`:t.why}</div></td>
        <td class="num" data-name="When"><${se} at=${t.at} /></td></tr>`}<//>
      <div class="foot">${F(e.length,"run")}${e.length>=100?", newest only":""}</div>`}<//>`}function Yi({way:e,onClose:t,onDone:n}){let[s,o]=z(""),r=e==="stop",
d=async()=>{await Ie(r?"/api/stop":"/api/start",r?{reason:s}:{}),Je(r?"Campaign actions are stopped":"Campaign actions are started"),n()};return a`<${Ve} title=${r?
"Stop all campaign actions?":"Start campaign actions again?"} act=${r?"Stop":"Start"} danger=${r} ready=${!r||s.trim()} onAct=${d} onClose=${t}>
    <p>${r?"No job changes a creative, budget or bid, whether it comes from a rule or a person. Running jobs stop before their next call. Only an admin can star\
t campaign actions again.":"Jobs that came meanwhile have ended and do not run again. The next run of each rule decides anew."}</p>
    ${r&&a`<${ze} name="Reason" hint="Shown to everyone, and recorded in the audit."><input type="text" required maxlength="1000" value=${s} onInput=${c=>o(c.target.
value)} data-first /><//>`}
  <//>`}function Iu({params:e}){let t=e.span==="day"?"day":"",n=je("/api/overview"+Te({span:t}),["overview"]);return a`<${He} title="Overview" sub="What is running, what is waiting, and what needs attention.">
    <${ht} result=${n}>${s=>a`${!s.counted&&a`<${he} says="The jobs are being counted." hint="usher has just started, and still reads the records: the numbers of jobs below grow until it has read them all." />`}<${mm} needs=${s.
needs} lanes=${s.lanes} /><${ir} />
      <${wm} o=${s} />
      <div class="grid two-one">
        <div class="stack">
          <${km} t=${s.throughput} span=${t} />
          <${Cm} rows=${s.running} />
          <${_m} hours=${s.hours} />
        </div>
        <div class="stack"><${jm} p=${s.platform} /><${Tm} lanes=${s.lanes} /></div>
      </div>`}<//>
  <//>`}function mm({needs:e,lanes:t}){let[n,s]=z(null),o=()=>s(null),r=Vo().state?.services.some(d=>d.since);return e.length?a`<section class="card" aria-label="What needs attention"><div class="flush incidents">${e.
map(d=>a`<${bm} key=${d.subject||d.says+d.about} n=${d} onAct=${()=>s(d)} />`)}</div>
    ${n&&a`<${$m} n=${n} lanes=${t} onClose=${o} />`}</section>`:a`<${he} level=${r?"":"good"} says=${r?"Nothing else needs attention.":"Nothing needs attention\
."} hint="No failed jobs, no run that waits for approval, and no lane is stalled." />`}var Pu={"Fix and replay":"operator",Approve:"operator","Look now":"operat\
or","Approve export":"operator","Resume lane":"admin","Start campaign actions":"admin"};function $m({n:e,lanes:t,onClose:n}){switch(e.act){case"Fix and replay":
return a`<${uo} cause=${{class:e.class,message:e.says,hint:e.hint,count:e.count}} filter=${{group:e.subject}} onClose=${n} />`;case"Look now":return a`<${rr} feed=${e.
subject} way="look" onClose=${n} />`;case"Approve export":return a`<${rr} feed=${e.subject} versions=${e.versions} way="approve" onClose=${n} />`;case"Approve":
return a`<${fo} id=${e.subject} way="approve" onClose=${n} onDone=${()=>{}} />`;case"Resume lane":return a`<${zu} lane=${t.find(s=>s.name===e.subject)??{name:e.
subject,paused:"?"}} onClose=${n} />`}return a`<${Yi} way="start" onClose=${n} onDone=${()=>{}} />`}var gm=e=>{let t=e.class||e.act==="Resume lane"||e.says.startsWith(
"Lane")?"job":e.act==="Approve"?"change":e.act==="Approve export"?"export":"";return t&&(e.count===1?t:t+"s")};function bm({n:e,onAct:t}){let n=Pu[e.act]&&Ge(Pu[e.
act]);return a`<div class="incident ${e.level}">
    <div class="what"><div class="says">${e.class?a`<span title=${e.class}>${Ht(e.class)}</span>${ta(e.target)&&`: ${ta(e.target)}`}`:a`<${Tt} text=${e.says} />`}</div>
      ${e.class?a`<div class="break"><${Sn} kind=${e.kind} target=${e.target} />: <${Dt} text=${e.says} /></div>`:e.about&&a`<div class="soft"><${Tt} text=${e.about} /></div>`}
      <${aa} text=${e.hint} of=${e.class} /></div>
    <div class="facts-line">${e.count>0&&a`<span class="nowrap"><b>${S(e.count)}</b> ${gm(e)}</span>`}${e.since&&a`<${js} at=${e.since} />`}${e.recent&&a`<${vm} counts=${e.
recent} />`}</div>
    <div class="acts">${n&&a`<button class="primary small" onClick=${t}>${e.act} …</button>`}
      ${e.where!=="/"&&a`<a class="button small" href=${"#"+e.where}>${n?"Details":"Open"}</a>`}</div>
  </div>`}function vm({counts:e}){let t=Math.max(1,...e),n=e.reduce((s,o)=>s+o,0);return a`<span class="nowrap" title="in each five minutes of the last hour"><svg class="trend" width="48" height="16" viewBox="0 0 48 16" role="img" aria-label=${`${F(
n,"letter")} in the last hour`}>
    ${e.map((s,o)=>a`<rect key=${o} x=${o*4} y=${16-Math.max(1,15*s/t)} width="3" height=${Math.max(1,15*s/t)} />`)}</svg> <span class="faint small">${S(n)} in 1 h</span></span>`}
function wm({o:e}){let t=s=>e.states[s]??0,n=e.hours.reduce((s,o)=>({done:s.done+o.done,failed:s.failed+o.failed}),{done:0,failed:0});return a`<div class="figures">
    <${_t} name="Throughput" meaning=${We.rows} value=${e.throughput.rows===null?"–":Un(Math.round(e.throughput.rows))} unit="rows/s" note=${e.throughput.bytes===
null?"not measured yet":ys(e.throughput.bytes)+"/s sent"} />
    <${_t} name="Running" meaning=${We.running} value=${S(t("running"))} note=${t("retrying")?F(t("retrying"),"waits for its next attempt","wait for their next \
attempt"):"none waits for its next attempt"} href="#/jobs?state=running,retrying" />
    <${_t} name="Queued" meaning=${We.queued} value=${S(t("queued"))} note="not started yet" href="#/jobs?state=queued" />
    <${_t} name="Done in 24 h" meaning=${We.done} value=${S(n.done)} note="jobs" href="#/jobs?state=done" />
    <${_t} name="Dead letters" meaning=${We.letters} value=${S(e.letters)} note=${n.failed?`${S(n.failed)} failed in 24 h`:"none failed in 24 h"} href="#/letters" bad=${e.
letters>0} />
  </div>`}function ym(){let e=je("/api/marks");return Ce(()=>{let t=setInterval(()=>document.hidden||e.reload(),3e4);return()=>clearInterval(t)},[]),e.data?.marks}
var xm=[["","15 min"],["day","24 h"]];function km({t:e,span:t}){let n=ym(),s=Yt(()=>[e.series.map(o=>o.at),e.series.map(o=>o.read),e.series.map(o=>o.accepted)],
[e]);return a`<${Q} title="Throughput" side=${a`<${ya} label="Time" value=${t} onPick=${o=>et({span:o})} options=${xm} />`}>
    <${ka} data=${s} values=${Un} min=${10} unit="rows/s" counts marks=${n} label=${`Rows a second of all workers over the last ${t?"24 hours":"15 minutes"}; no\
w ${e.rows===null?"not known":S(e.rows)}`}
      lines=${[["read","--c-suppressed"],["accepted","--c-accepted",{filled:"--good-soft"}]]} /><//>`}function _m({hours:e}){let t=Yt(()=>[e.map(n=>n.at),e.map(
n=>n.done+n.failed||null),e.map(n=>n.failed||null)],[e]);return a`<${Q} title="Finished jobs" side=${a`<span class="faint small">by hour, last 24</span>`}>
    <${ka} height=${140} data=${t} values=${Un} min=${4} unit="jobs" counts label="Finished jobs by hour"
      lines=${[["finished","--c-accepted",{paths:Ei(),filled:"--c-accepted"}],["failed","--c-refused",{paths:Ei(),filled:"--c-refused"}]]} /><//>`}function Cm({
rows:e}){return a`<${Q} title="Running now" flush side=${a`<a class="small" href="#/jobs">All jobs</a>`}>
    ${e.length===0?a`<${Me} title="Nothing is running">Running jobs are listed here with their progress.<//>`:a`<${at} name="running" rows=${e} columns=${[["Job",
t=>t.id],["State",t=>t.state],["Rows",t=>t.read,!0],["Progress"]]}>${t=>a`<tr key=${t.id}><td><a class="id" href=${oe("jobs",t.id)}>${t.id}</a><div class="note"><${Sn} kind=${t.
kind} target=${t.target} /></div></td>
        <td><${na} is=${t.state} /></td><td class="num" data-name="Rows">${S(t.read)}</td><td class="whole"><${Ui} row=${t} /></td></tr>`}<//>`}<//>`}function jm({
p:e}){let[t,n]=z(!1),s=Object.entries(e.answers??{}).sort();return a`<${Q} title="Platform" side=${a`<span class="badge ${e.up?"good":"bad"}">${e.up?"up":e.refused?
"login refused":"down"}</span>`}>
    <dl class="facts">
      <dt>Address</dt><dd class="mono">${e.url}</dd>
      <dt>Advertiser</dt><dd class="mono">${e.advertiser}</dd>
      <dt>Limit</dt><dd>${dn(e.limit)} calls/s${e.limit!==e.configured&&a` <span class="tag">set by hand</span>`}
        ${Ge("admin")&&a` <button class="bare small" onClick=${()=>n(!0)} aria-label="Set the limit">Set</button>`}</dd>
      <dt>Asks to wait</dt><dd>${e.retryAfter?a`until <${se} at=${e.retryAfter} />`:"no"}</dd>
      <dt>Workers</dt><dd>${S(e.workers)}</dd>
      <dt>Answers</dt><dd>${s.length===0?a`<span class="faint">none yet</span>`:s.map(([o,r])=>a`<span class="nowrap"><span class="tag">${o==="none"?"no answer":
o}</span> ${S(r)}</span> `)}
        <div class="faint small">counted by this process since it started</div></dd>
    </dl>${t&&a`<${Sm} p=${e} onClose=${()=>n(!1)} />`}<//>`}function Sm({p:e,onClose:t}){let[n,s]=z(""),[o,r]=z(""),d=async()=>{await Ie("/api/limit",{perSecond:Number(
n)||0,reason:o}),Je(Number(n)?`The limit is ${dn(Number(n))} calls a second`:"The configured limit applies again")};return a`<${Ve} title="Calls a second" act="Set" ready=${o.
trim()} onAct=${d} onClose=${t}>
    <p>The limit for all workers together; it applies within seconds. The configured limit is ${dn(e.configured)}.</p>
    <${ze} name="Limit" hint="Leave empty to use the configured limit."><input type="number" min="0" step="any" inputmode="decimal" value=${n} onInput=${c=>s(c.
target.value)} data-first /><//>
    <${ze} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${o} onInput=${c=>r(c.target.value)} /><//>
  <//>`}function Tm({lanes:e}){let[t,n]=z(null);return a`<${Q} title="Lanes" flush>
    <${at} look="tight" name="lanes" rows=${e} columns=${[["Lane",s=>s.name],["Waiting",s=>s.waiting,!0,We.waiting],["Running",s=>s.running,!0,We.taken],["Oldes\
t",s=>s.oldest&&-Date.parse(s.oldest),!0]]}>${s=>a`<tr key=${s.name}><td><span class="strong">${s.name}</span><div class="note">${s.paused?a`<span class="bad-ink">paused by ${s.
paused}</span>`:F(s.slots,"slot")+" here"}</div>
          ${Ge("admin")&&a`<button class="bare small lane" aria-label=${`${s.paused?"Resume":"Pause"} lane ${s.name}`} onClick=${()=>n(s)}>${s.paused?"Resume":"\
Pause"}</button>`}</td>
        <td class="num">${S(s.waiting)}</td><td class="num">${S(s.running)}</td>
        <td class="num">${s.oldest?a`<span title=${It(s.oldest)}>${oo(s.oldest).replace(" ago","")}</span>`:a`<span class="faint none">–</span>`}</td></tr>`}<//>${t&&
a`<${zu} lane=${t} onClose=${()=>n(null)} />`}<//>`}function zu({lane:e,onClose:t}){let[n,s]=z(""),o=e.paused?"resume":"pause",r=async()=>{await Ie(`/api/lanes/${e.
name}/${o}`,{reason:n}),Je(`Lane ${e.name} is ${o}d`)};return a`<${Ve} title=${`${e.paused?"Resume":"Pause"} lane ${e.name}?`} act=${e.paused?"Resume":"Pause"} danger=${!e.
paused} ready=${n.trim()} onAct=${r} onClose=${t}>
    <p>${e.paused?"Workers take its jobs again.":"Within seconds, workers stop taking jobs from this lane. Running jobs continue; waiting jobs say why they wait\
."}</p>
    <${ze} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${n} onInput=${d=>s(d.target.value)} data-first /><//>
  <//>`}var Ou=e=>JSON.stringify(e,null,2),Ka=e=>F(e,"letter");function Lu({letter:e,onClose:t,onEdit:n}){return a`<${Ve} title=${`Letter ${e.seq}`} wide onClose=${t}>
    <${he} level="bad" says=${a`<span title=${e.class}>${Ht(e.class)}</span>: <${Dt} text=${e.message} />`} hint=${e.hint} of=${e.class} />
    <dl class="facts">
      <dt>Job</dt><dd>${e.id?a`<a href=${oe("jobs",e.id)} onClick=${t}>${e.id}</a>`:"unreadable"}${e.run>1?`, run ${e.run}`:""}</dd>
      <dt>Does</dt><dd><${Sn} kind=${e.kind} target=${e.target} /></dd>
      <dt>Failed</dt><dd>${It(e.at)}</dd>
      <dt>Attempts</dt><dd>${F(e.attempts,"attempt")}${e.crashes?`, ${F(e.crashes,"crash","crashes")}`:""}</dd>
      ${e.edited&&a`<dt>Edited</dt><dd>${(e.edited.fields??[]).map(s=>Ha(s.slice(1).replaceAll("/","."))).join(", ")} by ${e.edited.by}${e.edited.reason?`: ${e.
edited.reason}`:""}</dd>`}
    </dl>
    ${e.job?a`<dl class="facts">${As(e.job).filter(([s])=>!["id","v"].includes(s)).slice(0,12).map(([s,o])=>a`<dt>${Ha(s)}</dt><dd class="break">${sa(o)}</dd>`)}</dl>
      <details><summary>The job as it was published</summary><pre class="block">${Ou(e.job)}</pre></details>`:a`<p class="soft">The job cannot be read.</p>`}
    ${Ge("operator")&&e.job&&a`<div><button type="button" onClick=${n}>Edit this job …</button></div>`}
  <//>`}function Fu({filter:e,onClose:t,onDone:n}){let[s,o]=z(null),[r,d]=z(""),[c,$]=z(""),[w,j]=z(!1),[E,v]=z("");Ce(()=>{let J=!1;return o(null),d(""),On("/a\
pi/letters/plan"+Te({...e,seqs:e.seqs?.join(","),force:w})).then(ie=>J||o(ie),ie=>J||d(ie.message)),()=>{J=!0}},[w]);let R=async()=>{await Ie("/api/letters/repl\
ay",{filter:{...e,through:s.through},rate:Number(c)||0,force:w,reason:E}),Je(`${F(s.count,"job")} will be replayed`),n()},U=Math.max(s?.seconds??0,Number(c)>0?s?.
count/Number(c):0);return a`<${Ve} title="Replay" wide act=${s?`Replay ${F(s.count,"job")}`:"Replay"} ready=${s?.count>0} onAct=${R} onClose=${t}>
    ${r&&a`<${Xt} says=${r} />`}
    ${!s&&!r&&a`<${nn} />`}
    ${s&&a`<p><b>${F(s.count,"job")}</b> will be published again as their next run, and their letters removed. Uploads continue where they stopped.${U>10?` This\
 takes at least ${Zt(U)}.`:""}</p>
      ${s.groups.length>0&&a`<ul class="stack small">${s.groups.slice(0,6).map(J=>a`<li><b>${S(J.count)}</b> ${Ht(J.class)} · ${xs(J.kind,J.target)}</li>`)}</ul>`}
      ${s.skipped>0&&a`<${he} level="warn" says=${`${Ka(s.skipped)} skipped`}>
        ${s.left.map(J=>a`<div class="small break">${J.id??`letter ${J.seq}`}: ${J.why}</div>`)}<//>`}`}
    <${ze} name="Pace" hint="Jobs a second. Empty: as fast as the limits allow."><input type="number" min="0" step="any" inputmode="decimal" placeholder="no limit" value=${c} onInput=${J=>$(
J.target.value)} data-first /><//>
    <${ze} name="Reason" hint=${`Recorded in the audit with your name, ${pt.user}.`}><input type="text" maxlength="1000" value=${E} onInput=${J=>v(J.target.value)} /><//>
    <label class="check"><input type="checkbox" checked=${w} onChange=${J=>j(J.target.checked)} /><span>Include jobs that a newer job superseded, and jobs that would add ids again that were removed since</span></label>
  <//>`}function Nu({filter:e,count:t,onClose:n,onDone:s}){let[o,r]=z(""),d=async()=>{let{discarded:c}=await Ie("/api/letters/discard",{filter:e,reason:o});Je(`${Ka(
c)} discarded`),s()};return a`<${Ve} title=${`Discard ${Ka(t)} for good?`} act=${`Discard ${Ka(t)}`} danger ready=${o.trim()} onAct=${d} onClose=${n}>
    <p>Discarded letters cannot be replayed. The jobs' records are kept.</p>
    <${ze} name="Reason" hint="Recorded in the audit with your name."><input type="text" required maxlength="1000" value=${o} onInput=${c=>r(c.target.value)} data-first /><//>
  <//>`}function Wu({filter:e,letter:t,onClose:n,onDone:s}){let[o,r]=z(t?Ou(t.job):""),[d,c]=z(""),[$,w]=z(""),[j,E]=z(""),[v,R]=z(null),U=()=>{if(!t)return{set:{
[d.trim()]:$}};try{return{job:JSON.parse(o)}}catch{throw new Error("This is not a complete job: check its commas, quotes and brackets.")}},J=async()=>{let ye={...U(),
reason:j};if(!v)throw R(await Ie("/api/letters/edit",{filter:e,edit:{...ye,dryRun:!0}})),new Error("");let de=await Ie("/api/letters/edit",{filter:e,edit:ye});if(de.
edited===0)throw new Error(de.says||"The edit changes nothing.");Je(`${Ka(de.edited)} edited${de.refused?`, ${S(de.refused)} could not be edited`:""}`),s(de.now??
[])},ie=ye=>de=>{ye(de.target.value),R(null)};return a`<${Ve} title=${t?`Edit the job of letter ${t.seq}`:"Edit all selected letters"} wide
      act=${v?`Edit ${Ka(v.edited)}`:"Preview"} ready=${v?v.edited>0&&j.trim():t||d.trim()} onAct=${J} onClose=${n}>
    ${t?a`<${ze} name="Job" hint="Ids are shown as their number, and the secret part of an address as ?…: keep them as they are shown, and the job keeps its values."><textarea class="code" spellcheck=${!1} value=${o} onInput=${ie(
r)} data-first></textarea><//>`:a`<${ze} name="Field" hint="Its name in the job, such as segment or source.column."><input type="text" class="mono" value=${d} onInput=${ie(
c)} data-first /><//>
        <${ze} name="Value" hint="The new value. The word null removes the field."><input type="text" class="mono" value=${$} onInput=${ie(w)} /><//>`}
    ${v&&a`<${he} level=${v.refused?"warn":"good"} says=${`${Ka(v.edited)} to be edited${v.same?`, ${S(v.same)} unchanged`:""}${v.refused?`, ${S(v.refused)} ref\
used`:""}`} hint=${v.says} />
      ${v.example&&a`<div class="small soft">Changed fields: ${v.example.fields.map(ye=>a`<span class="tag mono">${ye}</span> `)}</div>`}`}
    <${ze} name="Reason" hint="Recorded in the audit with your name."><input type="text" maxlength="1000" value=${j} onInput=${ye=>E(ye.target.value)} /><//>
  <//>`}var Zi=50,Dm=20,Xi="Sort the rows on this page",Rm=e=>({id:e.id,kind:e.kind,class:e.class,group:e.group,match:e.match,replay:e.replay}),qu=e=>Object.fromEntries(
Object.entries(e).filter(([,t])=>t)),Fs=e=>et({after:"",page:"",...e});function Hu({params:e}){let t=Rm(e),n={...t,group:""},s=je("/api/letters/groups"+Te(n),["\
letters"]),o=s.data?.groups??s.stale?.groups,r=o?.reduce((w,j)=>w+j.count,0),d=e.group&&o?.find(w=>w.group===e.group),c=e.group?d?.count??0:r,$=Object.keys(qu(t)).
length>0;return a`<${He} title="Dead letters" sub="Failed jobs by cause. Fix the cause, then replay them: each job continues where it stopped.">
    <${ir} />
    <div class="filters">
      <${Tn} label="Search target or message …" value=${e.match} onText=${w=>Fs({match:w,group:""})} />
      <${Jn} label="Cause" value=${e.class} onPick=${w=>Fs({class:w,group:""})} options=${[["","All causes"],...Object.entries(Ln).map(([w,{title:j}])=>[w,j])]} />
      <${Jn} label="Kind" value=${e.kind} onPick=${w=>Fs({kind:w,group:""})} options=${qi} />
    </div>
    ${e.replay&&a`<div><span class="tag">failed again after a replay</span> <button class="small bare" onClick=${()=>Fs({replay:""})}>show all letters</button></div>`}
    ${e.id&&a`<div><span class="tag">job ${e.id}</span> <button class="small bare" onClick=${()=>Fs({id:""})}>show all jobs</button></div>`}
    ${s.error&&a`<${Xt} says=${s.error} retry=${s.reload} />`}
    ${o?o.length===0?a`<div class="card">${$?a`<${Me} title="No dead letter matches">Remove a filter to see other letters.<//>`:a`<${Me} title="No dead letters">No job has failed.<//>`}</div>`:
a`<${Am} list=${o} picked=${e.group} /><${Pm} filter=${t} total=${c} params=${e} key=${JSON.stringify(t)} />`:!s.error&&a`<div class="card"><${nn} /></div>`}
  <//>`}function Am({list:e,picked:t}){let[n,s]=z(null);return a`<${Q} title="Causes" flush side=${a`<span class="faint small">${F(e.length,"cause")}, campaigns first, then the oldest</span>`}>
    <${at} name="causes" rows=${e.slice(0,50)} columns=${[["Letters",o=>o.count,!0,We.letters],["Cause",o=>Ht(o.class)],["What",o=>o.message],["Last",o=>Date.parse(
o.last),!0],[a`<span class="sr">What to do</span>`]]}>${o=>a`<tr key=${o.group}>
        <td class="num strong" data-name="Letters">${S(o.count)}</td>
        <td class="whole"><b title=${o.class}>${Ht(o.class)}</b><div class="note"><${Sn} kind=${o.kind} target=${o.target} /></div></td>
        <td class="break whole"><${Dt} text=${o.message} /><${aa} text=${o.hint} of=${o.class} /></td>
        <td class="num" data-name="Last"><${se} at=${o.last} /></td>
        <td class="right whole nowrap">${Ge("operator")&&a`<button class="small" onClick=${()=>s(o)} aria-label=${`Fix and replay ${F(o.count,"letter")}: ${o.message}`}>Fix and replay …</button> `}<button class="small" aria-pressed=${t===
o.group} onClick=${()=>Fs({group:t===o.group?"":o.group})}>${t===o.group?"Show all":"Only these"}</button></td>
      </tr>`}<//>
    ${n&&a`<${uo} cause=${n} filter=${{group:n.group}} onClose=${()=>s(null)} />`}<//>`}var Qi=new Map,pr={all:!1,seqs:[]};function Mm(e,t,n){let s=t.letters.map(
d=>d.seq),o=n?0:s[0]??1/0,r=s.at(-1)??(t.more?0:1/0);return e.filter(d=>s.includes(d)||d<o||d>r)}function Em(e){let t=(e.after??"").split(",").filter(Boolean),n=t.
length?Math.max(2,Number(e.page)||2):1,s=(o,r)=>"#/letters"+Te({...e,after:o.slice(-Dm).join(),page:o.length?r:""});return{page:n,after:t.at(-1)??"",earlier:n>1&&
s(t.slice(0,-1),n-1),later:o=>s([...t,o],n+1)}}function Pm({filter:e,total:t,params:n}){let{page:s,after:o,earlier:r,later:d}=Em(n),c=JSON.stringify(e),$=Qi.get(
c)??pr,[,w]=z(0),j=re=>{Qi.set(c,re),w(be=>be+1)},[E,v]=z(null),R=je("/api/letters"+Te({...e,after:o,limit:Zi}),["letters"]),U=R.data??R.stale,J=$.all?t:$.seqs.
length,ie=$.all?qu(e):{seqs:$.seqs},ye=()=>j(pr),de=re=>{let be=$.all?U.letters.map(un=>un.seq):$.seqs;j({all:!1,seqs:be.includes(re)?be.filter(un=>un!==re):[...be,
re]})};if(Ce(()=>{let re=Qi.get(c)??pr;if(!R.data||re.all)return;let be=Mm(re.seqs,R.data,s===1);be.length<re.seqs.length&&j({all:!1,seqs:be})},[R.data]),!U)return R.
error?a`<${Xt} says=${R.error} retry=${R.reload} />`:a`<div class="card"><${nn} /></div>`;let tt=U.letters.map(re=>re.seq),Pe=$.all||tt.length>0&&tt.every(re=>$.
seqs.includes(re)),Ke=Ge("operator");return a`${R.error&&a`<${Xt} says=${R.error} retry=${R.reload} />`}<section class="card" inert=${!R.data} aria-busy=${!R.data}>
      <div class="top"><h2>Letters</h2>${Ke&&t>0&&a`<button class="small" onClick=${()=>j({all:!0,seqs:[]})}>Select all ${S(t)} that match</button>`}</div>
      <div class="flush"><${at} look=${`cards ${Ke?"ticks":""}`} rows=${U.letters} columns=${[["Job",re=>re.id,!1,Xi],["Why",re=>re.class,!1,Xi],["When",re=>Date.
parse(re.at),!0,Xi]]}
        first=${Ke&&a`<th class="tick"><input type="checkbox" aria-label="Select this page" checked=${Pe} onChange=${()=>j(Pe?pr:{all:!1,seqs:[...new Set([...$.
seqs,...tt])]})} /></th>`}>${re=>a`<tr key=${re.seq}>
          ${Ke&&a`<td class="tick"><input type="checkbox" aria-label=${`Select letter ${re.seq}`} checked=${$.all||$.seqs.includes(re.seq)} onChange=${()=>de(re.
seq)} /></td>`}
          <td><button class="bare id small" onClick=${()=>v({show:re})}>${re.id??"no id"}</button><div class="note"><${Sn} kind=${re.kind} target=${re.target} /></div></td>
          <td class="whole"><b title=${re.class}>${Ht(re.class)}</b><div class="break"><${Dt} text=${re.message} /></div></td>
          <td class="num" data-name="When"><div><${se} at=${re.at} /><div class="note">letter ${re.seq}</div></div></td></tr>`}<//></div>
      ${tt.length===0&&a`<${Me} title="No letters here any more">They were replayed or discarded.<//>`}
      ${(s>1||U.more)&&a`<div class="foot"><span class="acts">${r?a`<a class="button small" href=${r}>Earlier</a>`:a`<button class="small" disabled>Earlier</button>`}</span>
        <span>page ${S(s)}${t>Zi?` of ${S(Math.max(s,Math.ceil(t/Zi)))}`:""}, oldest first</span>
        <span class="acts">${U.more?a`<a class="button small" href=${d(tt.at(-1))}>Later</a>`:a`<button class="small" disabled>Later</button>`}</span></div>`}
    </section>
    ${Ke&&J>0&&a`<div class="selection" role="group" aria-label="Actions on the selected letters">
      <span class="says"><b>${F(J,"letter")}</b> selected${$.all?", all that match":""}</span>
      <button class="bare" onClick=${ye}>Clear</button>
      <button class="danger" onClick=${()=>v({discard:!0})}>Discard …</button>
      <button onClick=${()=>v({edit:!0})}>Edit …</button>
      <button onClick=${()=>v({replay:!0})}>Replay …</button>
      <button class="primary" onClick=${()=>v({fix:!0})}>Fix and replay …</button></div>`}
    ${E?.fix&&a`<${uo} cause=${{count:J,message:$.all?"All letters that match":"The selected letters"}} filter=${ie} onClose=${()=>v(null)} onDone=${ye} />`}
    ${E?.show&&a`<${Lu} letter=${E.show} onClose=${()=>v(null)} onEdit=${()=>v({edit:!0,letter:E.show})} />`}
    ${E?.replay&&a`<${Fu} filter=${ie} onClose=${()=>v(null)} onDone=${ye} />`}
    ${E?.discard&&a`<${Nu} filter=${ie} count=${J} onClose=${()=>v(null)} onDone=${ye} />`}
    ${E?.edit&&a`<${Wu} filter=${E.letter?{seqs:[E.letter.seq]}:ie} letter=${E.letter??($.seqs.length===1&&U.letters.find(re=>re.seq===$.seqs[0]))}
      onClose=${()=>v(null)} onDone=${re=>!E.letter&&!$.all&&j({all:!1,seqs:re})} />`}`}var Uu=e=>e.spend?.budget>0?e.spend.spent/e.spend.budget:null,tl=.95;function Im({c:e}){return e.at?e.error&&e.active+e.paused+e.pending===0?a`<span class="bad-ink small break">${e.
error}</span>`:a`<span class="nowrap"><b class=${e.active?"good-ink":""}>${S(e.active)}</b> active${e.paused>0&&a`, <b class="warn-ink">${S(e.paused)}</b> paused`}${e.
pending>0&&`, ${S(e.pending)} pending`}</span>
    <div class="bar thin" aria-hidden="true">${[["active","c-accepted"],["paused","c-junk"],["pending","c-duplicate"]].map(([t,n])=>e[t]>0&&a`<i class=${n} style=${{
flexGrow:e[t]}}></i>`)}</div>`:a`<span class="faint">being read …</span>`}function zm({all:e}){return e.length?e.map(t=>a`<div class="small break">${t.rule?a`rule <a href=${"\
#/rules"+Te({text:t.rule})}>${t.rule}</a>`:t.actor||"outside usher"}${e.length>1&&a` <span class="faint">${S(t.count)}</span>`}</div>`):a`<span class="faint none">–</span>`}
function Om({s:e}){if(!e)return a`<span class="faint">not known</span>`;let t=e.budget>0?e.spent/e.budget:null;return a`<div class="spend" title=${`on ${e.date}`}><span class="nowrap">${so(
e.spent)}${t!==null&&` of ${so(e.budget)}`} ${e.currency}</span>
    ${t!==null&&a`<meter class=${t>=tl?"high":""} min="0" max="1" value=${Math.min(t,1)} aria-label=${`${Math.round(t*100)} % of the budget of ${e.date} is spen\
t`}></meter><span class="small ${t>=tl?"warn-ink":"faint"}">${Math.round(t*100)} %</span>`}</div>`}var Lm=[{key:"name",title:"Campaign",card:!1,value:e=>e.code,
cell:e=>a`<a class="id" href=${oe("campaigns",e.code)}>${e.code}</a>`},{key:"creatives",title:"Creatives",num:!1,value:e=>e.at?-e.paused:null,meaning:"Sort by t\
he number of paused creatives",cell:e=>a`<${Im} c=${e} />`},{key:"by",title:"Paused by",value:e=>e.pausedBy[0]&&(e.pausedBy[0].rule||e.pausedBy[0].actor||"~"),cell:e=>a`<div><${zm} all=${e.
pausedBy} /></div>`},{key:"spend",title:"Spend and budget",value:Uu,num:!1,meaning:"Sort by the share of the budget that is spent",cell:e=>a`<${Om} s=${e.spend} />`},
{key:"held",title:"Held",num:!0,value:e=>e.held,meaning:"Changes that wait for approval",cell:e=>e.held?a`<a class="badge warn" href=${oe("rules","runs",e.heldRun)}>${S(
e.held)} held</a>`:a`<span class="faint none">–</span>`},{key:"last",title:"Last change",num:!0,value:e=>e.last&&Date.parse(e.last.at),cell:e=>e.last?a`<span title=${`${e.
last.what}: ${e.last.reason}`}><${se} at=${e.last.at} /><div class="note">${e.last.by}</div></span>`:a`<span class="faint none">–</span>`}],el={"":()=>!0,paused:e=>e.
paused>0,held:e=>e.held>0,spent:e=>Uu(e)>=tl};function Bu({params:e}){let t=je("/api/campaigns",["campaigns","rules"]);return a`<${He} title="Campaigns" sub="What serves, what is paused and by whom, and how much of the day's budget is spent. Spend, and what was changed outside usher, is at most some minutes old.">
    <${ht} result=${t}>${({campaigns:n,spendError:s})=>{let o=(e.text??"").toLowerCase(),r=n.filter(w=>w.code.toLowerCase().includes(o)),d=r.filter(el[e.only]??
el[""]),c=w=>r.filter(el[w]).length,$=n.filter(w=>!w.at).length;return a`<div class="filters"><${Tn} label="Search campaigns …" value=${e.text} onText=${w=>et(
{text:w})} />
          <${ya} label="Which" value=${e.only} onPick=${w=>et({only:w})} options=${[["","All",r.length],["paused","With pauses",c("paused")],["held","Held",c("h\
eld")],["spent","95 % spent",c("spent")]]} /></div>
        ${s&&a`<${he} level="warn" says="Spend and budgets are not known now" hint=${s} />`}
        <${Q} flush>${d.length===0?a`<${Me} title=${n.length?"No campaign matches":"No campaigns"}>${n.length?"Remove a filter to see other campaigns.":"The pla\
tform lists no campaigns for this advertiser."}<//>`:a`<${Rs} label="Campaigns" columns=${Lm} rows=${d.slice(0,500)} params=${e} id=${w=>w.code} href=${w=>oe("c\
ampaigns",w.code)} />
            <div class="foot"><span>${F(d.length,"campaign")}${d.length>500?", the first 500 are shown":""}</span>${$>0&&a`<span>the creatives of ${S($)} are being read</span>`}</div>`}<//>`}}<//>
  <//>`}var Ju="The platform's times have no zone, so they are shown as the platform sends them.";function Vu({code:e}){let t=je("/api/campaigns/"+encodeURIComponent(e),
["audit","jobs","rules"]),[n,s]=z([]),[o,r]=z(""),d=t.data,c=Ge("operator"),$=w=>s(n.includes(w)?n.filter(j=>j!==w):[...n,w]);return a`<${He} title=${e} crumb=${a`<a href="#/campaigns">Campaigns</a>`}
      sub=${d&&a`${F(d.creatives.length,"creative")}, ${S(d.creatives.filter(w=>w.status==="ACTIVE").length)} active`}
      acts=${d&&c&&a`<button class="danger" onClick=${()=>r("pause")}>Pause ${n.length?S(n.length):"all"} …</button>
        <button onClick=${()=>r("resume")}>Resume ${n.length?S(n.length):"all"} …</button>`}>
    <${ht} result=${t}>${w=>a`
      ${w.holder&&a`<${he} level="warn" says=${`Locked by ${w.holder}`} hint="A worker is changing this campaign or reading back its changes." />`}
      ${w.lockError&&a`<${he} level="warn" says="It is not known whether a worker has locked this campaign" hint=${w.lockError} />`}
      ${w.jobs.map(j=>a`<${he} key=${j.id} says=${a`<${na} is=${j.state} /> ${xs(j.kind,j.target)}`} hint=${j.why||j.id} where=${oe("jobs",j.id)} />`)}
      <div class="grid two-one">
        <div class="stack"><${Q} title="Creatives" flush>${w.creatives.length===0?a`<${Me} title="No creatives" />`:a`<${at} look=${`cards ${c?"ticks":""}`} rows=${w.
creatives} columns=${[["Creative",j=>j.code],["Status",j=>j.status],["Last change on the platform",j=>j.updated||null,!0]]}
          first=${c&&a`<th class="tick"><input type="checkbox" aria-label="Select all creatives" checked=${n.length===w.creatives.length} onChange=${()=>s(n.length?
[]:w.creatives.map(j=>j.code))} /></th>`}>${j=>a`<tr key=${j.code}>${c&&a`<td class="tick"><input type="checkbox" aria-label=${`Select ${j.code}`} checked=${n.includes(
j.code)} onChange=${()=>$(j.code)} /></td>`}
            <td class="strong break"><a class="id" href=${oe("rules","why",j.code)} title="Its history">${j.code}</a><${Gi} s=${w.kept[j.code]} />${j.message&&a`<div class="note">${j.
message}</div>`}</td><td><${na} is=${j.status} /></td>
            <td class="num" data-name="Changed">${j.updated?a`<span class="nowrap" title=${Ju}>${j.updated.replace("T"," ").replace(/\.\d+$/,"")} <span class="faint">no zone</span></span>`:
"–"}</td></tr>`}<//>
            ${w.creatives.some(j=>j.updated)&&a`<div class="foot">${Ju}</div>`}`}<//><${Nm} creatives=${w.creatives} changes=${w.changes} /></div>
        <div class="stack"><${Fm} rules=${w.rules??[]} kept=${w.kept[e]} code=${e} /><${Hm} entries=${w.history} code=${e} /></div>
      </div>`}<//>
    ${o&&a`<${Bm} code=${e} verb=${o} creatives=${n} all=${d.creatives.length} onClose=${()=>r("")} onDone=${()=>s([])} />`}
  <//>`}function Fm({rules:e,kept:t,code:n}){return a`<${Q} title="Rules in scope" side=${a`<${ur} code=${n} campaign=${n} kept=${t} what="budget and bid" />`}>${t&&
a`<p><b>Budget and bid</b><${Gi} s=${t} /></p>`}${e.length===0?a`<p class="soft">None.</p>`:a`<ul class="stack">${e.map(s=>a`<li><a href=${"#/rules"+Te({text:s.
name})} class="break">${s.name}</a> <span class="tag">${ks(s.mode)}</span><${Os} p=${s.paused} /><div class="small soft break">${s.says}</div></li>`)}</ul>`}<//>`}
var Ku=28;function Nm({creatives:e,changes:t}){let n=Array.from({length:Ku},(r,d)=>zn(ut()-(Ku-1-d)*864e5)),s=[...cr([...t].reverse(),r=>r.creative,r=>zn(r.at))].
sort(([r],[d])=>r.localeCompare(d,"en",{numeric:!0})),o=new Map(e.map(r=>[r.code,r.status]));return a`<${dr} title="Creatives by day" days=${n} legend=${[["","a\
ctive"],["pause","paused at the end of the day"],["changed","changed, and active again"]]}
    lines=${s.filter(([r])=>o.has(r)).map(([r,d])=>[r,Wm(n,d,o.get(r))])} />`}function Wm(e,t,n){let s=[];for(let o of[...e].reverse()){let r=t.get(o)??[],d=r.map(
c=>`${ln(c.at)} ${Ut(c.before)} → ${Ut(c.after)} by ${[c.by,c.reason].filter(Boolean).join(": ")}`).join(`
`);s.unshift({look:n==="INACTIVE"?"pause":r.length?"changed":"",title:`${o}: ${d||Ut(n)}`}),n=r[0]?.before||n}return s}function qm(e){let t=[];for(let n of e){let s=t.
at(-1);s&&n.job&&s[0].job===n.job&&s[0].run===n.run?s.push(n):t.push([n])}return t}function Hm({entries:e,code:t}){return a`<${Q} title="History" side=${a`<a class="small" href=${"\
#/audit"+Te({campaign:t})}>Open in audit</a>`}>
    ${e.length===0?a`<p class="soft">usher has not changed its creatives.</p>`:a`<ul class="line">${qm(e).slice(0,20).map(([n,...s])=>a`
      <li class=${n.after==="ACTIVE"?"good":n.after==="INACTIVE"?"warn":""}>
        <${Gu} a=${n} />${s.length>0&&a`<details class="small"><summary>and ${S(s.length)} more by this job</summary>${s.map(o=>a`<${Gu} a=${o} />`)}</details>`}
        <div class="small soft break">${[n.rule||n.actor,n.reason].filter(Boolean).join(": ")}</div>
        <${Ba} metrics=${n.metrics} /><div class="small faint"><${se} at=${n.at} /></div></li>`)}</ul>`}<//>`}var Gu=({a:e})=>a`<div><b class="break">${e.creative||
(e.bidding?bn[e.bidding.field]:"campaign")}</b> <span class="small">${Ut(e.before)} → ${Ut(e.after)}${e.after!==e.wanted?` (wanted ${Ut(e.wanted)})`:""}</span></div>`;
function Um({code:e,creatives:t}){let n=je(`/api/campaigns/${encodeURIComponent(e)}/reversals?${t.map(s=>"creative="+encodeURIComponent(s)).join("&")}`);return n.
error?a`<${he} level="warn" says="It is not known whether a rule would pause them again" hint=${n.error} />`:n.data?a`${n.data.map(s=>a`<${he} key=${s.rule+s.reason} level="warn" says=${a`Rule ${s.
rule} would ${s.asks?"ask to pause":"pause"} ${s.creatives.slice(0,3).join(", ")}${s.creatives.length>3?` and ${S(s.creatives.length-3)} more`:""} again ${s.next?
a`in its next run, <${se} at=${s.next} />`:"when it runs next"}`} hint=${s.reason} />`)}
    ${n.data.length===0&&a`<p class="soft">No rule would pause them again by the numbers of now.</p>`}`:a`<p class="soft">Asking the rules …</p>`}function Bm({
code:e,verb:t,creatives:n,all:s,onClose:o,onDone:r}){let[d,c]=z(""),[$,w]=z(""),j=n.length||s,E=async()=>{let{id:v}=await Ie(`/api/campaigns/${encodeURIComponent(
e)}/${t}`,{creatives:n,reason:d,keep:$});Je(`${t==="pause"?"Pausing":"Resuming"} ${F(j,"creative")}: job ${v}`),r()};return a`<${Ve} title=${`${t==="pause"?"Pau\
se":"Resume"} ${F(j,"creative")}?`} act=${t==="pause"?"Pause":"Resume"} danger=${t==="pause"} ready=${d.trim()&&$!==Ja} onAct=${E} onClose=${o}>
    <p>${n.length?n.join(", "):`All creatives of ${e}`} ${t==="pause"?"stop":"start"} being served. ${t==="pause"?"Rules do not resume what is paused by hand.":
"A rule whose condition holds may pause them again in its next run, unless you keep rules from them."}</p>
    ${t==="resume"&&a`<${Um} code=${e} creatives=${n} />`}
    <${Vi} until=${$} onUntil=${w} />
    <${ze} name="Reason" hint=${`Recorded in the audit with your name, ${pt.user}.`}><input type="text" required maxlength="1000" value=${d} onInput=${v=>c(v.target.
value)} data-first /><//>
  <//>`}function Jm({w:e}){return e.gone?a`<span class="faint">nothing</span>`:e.jobs.length===0?a`<span class="soft">waits for jobs</span>`:a`<div>${e.jobs.slice(0,4).
map(t=>a`<div class="small break"><a href=${oe("jobs",t)}>${t}</a></div>`)}${e.jobs.length>4&&a`<div class="small faint">and ${S(e.jobs.length-4)} more</div>`}</div>`}
function Km({w:e}){return e.gone?a`<span class="badge bad">gone</span>`:Object.keys(e.slots??{}).length===0?a`<span class="badge warn">stopping</span>`:e.down?a`<span class="badge bad">${e.
refused?"login refused":"platform down"}</span>`:a`<span class="badge good">works</span>`}var Gm=[{key:"name",title:"Worker",card:!1,value:e=>e.name,cell:e=>a`<span class="strong break">${e.
name}</span>`},{key:"state",title:"State",value:e=>Number(e.gone),cell:e=>a`<${Km} w=${e} />${e.gone&&a`<div class="note">last heard <${se} at=${e.heard} /></div>`}`},
{key:"doing",title:"Does",cell:e=>a`<${Jm} w=${e} />`},{key:"slots",title:"Slots by lane",cell:e=>a`<div class="small">${Object.entries(e.slots??{}).filter(([,t])=>t>
0).map(([t,n],s)=>a`${s>0&&", "}<span class="nowrap">${t} ${S(n)}</span>`)}</div>`},{key:"version",title:"Version",value:e=>e.version,cell:e=>a`<span class="small break">${e.
version||"older"}</span>`},{key:"memory",title:"Memory",num:!0,value:e=>e.memory||null,cell:e=>e.memory?ys(e.memory):a`<span class="faint none">–</span>`},{key:"\
since",title:"Since",num:!0,value:e=>e.since&&Date.parse(e.since),cell:e=>a`<${se} at=${e.since} />`}];function Yu({params:e}){let t=je("/api/workers",["overvie\
w"]);return a`<${He} title="Workers" sub="The processes that carry out jobs. A worker that stops is listed as gone for a day.">
    <${ht} result=${t}>${({workers:n})=>{let s=[...new Set(n.filter(r=>!r.gone).map(r=>r.version))],o=n.filter(r=>r.gone).length;return a`${s.length>1&&a`<${he} level="warn" says=${`${S(
s.length)} versions run at the same time`} hint="This is right during an update, and not for longer." />`}
        <${Q} flush>${n.length===0?a`<${Me} title="No worker answers">Jobs wait until one is started.<${wa}>usher run<//><//>`:a`<${Rs} label="Workers" columns=${Gm} rows=${n} params=${e} id=${r=>r.
name} /><div class="foot">${F(n.length-o,"worker")}${o>0?`, ${S(o)} gone`:""}</div>`}<//>`}}<//>
  <//>`}var Vm=[["","All times"],["1h","Last hour"],["24h","Last 24 hours"],["168h","Last 7 days"],["720h","Last 30 days"]],nl=50,hr="Sort the rows on this page",Ym=[["\
When",e=>Date.parse(e.at),!1,hr],["Who",e=>e.rule||e.actor,!1,hr],["What",e=>e.creative||e.after||e.wanted,!1,hr],["Why",e=>e.reason,!1,hr]];function Zu({params:e}){
let t=e.span&&new Date(Math.floor(ut()/6e4)*6e4-parseInt(e.span)*36e5).toISOString(),n={match:e.match,campaign:e.campaign,actor:e.actor,job:e.job,rule:e.rule,since:t},
s=Math.max(nl,Number(e.limit)||nl),o=je("/api/audit"+Te({...n,limit:s}),["audit"]),r=o.data??o.stale,d=["campaign","actor","job","rule"].filter(c=>e[c]);return a`<${He} title="Audit" sub="Who did what, when and why. Kept for 400 days."
      acts=${a`<a class="button" href=${"/api/audit/export"+Te({...n,format:"ndjson"})} download>Export NDJSON</a><a class="button" href=${"/api/audit/export"+Te(
{...n,format:"csv"})} download>Export CSV</a>`}>
    <div class="filters">
      <${Tn} label="Search actor, reason, creative, job …" value=${e.match} onText=${c=>et({match:c,limit:""})} />
      <${Jn} label="Time" value=${e.span} onPick=${c=>et({span:c,limit:""})} options=${Vm} />
    </div>
    ${d.length>0&&a`<div class="filters">${d.map(c=>a`<button class="small" onClick=${()=>et({[c]:""})} aria-label=${`Remove the filter ${c}`}>${c}: ${e[c]} ×</button>`)}</div>`}
    ${o.error&&a`<${Xt} says=${o.error} retry=${o.reload} />`}
    <section class="card">${r?r.entries.length===0?a`<${Me} title=${e.match||d.length||e.span?"Nothing matches":"No actions yet"}>Pauses, resumes, replays, edits, discards and uses of the stop switch are listed here.<//>`:
a`<${at} columns=${Ym} rows=${r.entries}>${(c,$)=>a`<tr key=${c.at+c.job+c.creative+$}>
          <td data-name="When"><${se} at=${c.at} /></td>
          <td data-name="Who"><a href=${"#/audit"+Te(c.rule?{rule:c.rule}:{actor:c.actor})}>${c.rule||c.actor||"–"}</a></td>
          <td class="whole"><${Zm} a=${c} /></td>
          <td class="whole break">${c.reason}<${Ba} metrics=${c.metrics} /></td></tr>`}<//>
        <div class="foot"><span>${F(r.entries.length,"entry","entries")}, newest first</span>${r.more&&s<200&&a`<button class="small" onClick=${()=>et({limit:String(
Math.min(s+nl,200))})}>Show more</button>`}${r.more&&s>=200&&a`<span>More than ${S(s)} entries match: narrow the search or export them.</span>`}</div>`:!o.error&&
a`<${nn} />`}</section>
  <//>`}function Zm({a:e}){let t=e.job&&a`<div class="note">job <a href=${oe("jobs",e.job)}>${e.job}</a>${e.run>1?`, run ${e.run}`:""}</div>`;return e.creative?
a`<span class="strong break">${e.creative}</span> ${Ut(e.before)} → ${Ut(e.after)}${e.after!==e.wanted?a` <span class="bad-ink">(wanted ${Ut(e.wanted)})</span>`:
""}
      <div class="note">campaign <a href=${oe("campaigns",e.campaign)}>${e.campaign}</a></div>${t}`:e.job?a`<span class="strong">${e.wanted}</span>${e.before?` \
(was ${e.before})`:""}${t}`:a`<span class="strong">${/^(stopped|started)$/.test(e.after)?`campaign actions ${e.after}`:e.after}</span>`}var Xm=[["","Overview",cn.overview],["audiences","Audiences",cn.audiences],["jobs","Jobs",cn.jobs],["letters","Dead letters",cn.letters],["campaigns","Campaigns",
cn.campaigns],["rules","Rules",cn.rules],["workers","Workers",cn.workers],["audit","Audit",cn.audit]];function Qm({names:e,params:t}){let[n="",s]=e;switch(n){case"":
return a`<${Iu} params=${t} />`;case"jobs":return s?a`<${lu} id=${s} key=${s} />`:a`<${pu} params=${t} />`;case"letters":return a`<${Hu} params=${t} />`;case"au\
diences":return s==="overlap"?a`<${fu} params=${t} />`:s?a`<${$u} target=${s} key=${s} />`:a`<${tu} params=${t} />`;case"campaigns":return s?a`<${Vu} code=${s} key=${s} />`:
a`<${Bu} params=${t} />`;case"rules":return a`<${Eu} names=${e.slice(1)} params=${t} />`;case"workers":return a`<${Yu} params=${t} />`;case"audit":return a`<${Zu} params=${t} />`}
return a`<${He} title="Page not found" sub=${a`<a href="#/">Back to the overview</a>`} />`}Bc();function e$(){let[e,t]=z(Ss());return Ce(()=>{let n=()=>t(Ss()),
s=Qo(n);return n(),s},[]),a`<button class="bare small" onClick=${Ts} aria-label=${e?"Light colours":"Dark colours"} title=${e?"Light colours":"Dark colours"}><span class="icon">${cn.
theme}</span></button>`}function t$(){return a`<button class="bare small" onClick=${()=>vs(!jn())} title=${jn()?"Times are in UTC; show them in this computer's \
zone":`Times are in this computer's zone, ${to()}; show them in UTC`} aria-label=${jn()?"Times in UTC":"Times in local zone"}>${to()}</button>`}function n$({onLeave:e}){
let t=Ec(),n=je("/api/overview",["letters","overview"]),s=Yc(t.names),o=n.data?.letters??0,r=async()=>{await Ie("/api/logout").catch(d=>Je(d.message,!0)),e()};return a`<a class="skip" href="#main" onClick=${d=>{
d.preventDefault(),document.querySelector("h1")?.focus()}}>Skip to content</a>
    <div class="frame">
      <header class="side">
        <a class="brand" href="#/">${cn.brand}usher</a>
        <nav class="nav" aria-label="Pages">
          ${Xm.map(([d,c,$])=>a`<a href="#/${d}" aria-current=${(t.names[0]??"")===d?"page":void 0}>${$}<span>${d==="letters"?a`<span class="long">Dead </span>letters`:
c}</span>
            ${d==="letters"&&o>0&&a`<span class="count" aria-label=${F(o,"dead letter")}>${o>999?"999+":S(o)}</span>`}</a>`)}
        </nav>
        <div class="me">
          <div class="who"><b>${pt.user}</b><span class="faint small">${pt.role}</span></div>
          <div class="row"><${e$} /><${t$} /><button class="bare small" onClick=${r} title="Log out" aria-label="Log out"><span class="icon">${cn.leave}</span></button></div>
        </div>
      </header>
      <main id="main" class="${s.stale?"stale":""} ${s.well?"":"unwell"}"><${Zc} status=${s} />${Qm(t)}</main>
    </div><${Gc} /><${Nc} />`}function a$(){let[e,t]=z(pt.user),[,n]=z(0);return Ce(()=>{Rc(()=>{no(),t("")}),window.addEventListener("zone",()=>n(o=>o+1))},[]),
e?a`<${n$} key=${jn()?"utc":"local"} onLeave=${()=>{no(),pt.user="",t("")}} />`:a`<${Xc} onIn=${async()=>{await ao(),t(pt.user),_i()}} />`}Object.assign(pt,JSON.
parse(document.getElementById("session").textContent));pt.user&&_i();var Xu=document.getElementById("app");Xu.replaceChildren();pi(a`<${a$} />`,Xu);
/*! https://github.com/leeoniya/uPlot (v1.6.32) */
